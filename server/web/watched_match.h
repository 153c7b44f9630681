// SPDX-License-Identifier: MIT
// A match that is played, shown by a feed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/match/match.h"
#include "server/web/human_player.h"
#include "server/web/match_feed.h"

namespace ludens::server {

/// Tells the feed of one match after the other, and people their legal moves. A match that ends is
/// told as ended also if it was aborted. Where information is hidden, and a person plays, nothing
/// is told but what that person knows, until the match has ended. On the match's thread.
class WatchedMatch final : public MatchObserver {
 public:
  /// `people` by role, null where nobody sits; may be empty. They and the feed must outlive it.
  /// `notation`: nullopt is that of the rulesheet.
  explicit WatchedMatch(MatchFeed& feed, std::vector<HumanPlayer*> people = {},
                        std::optional<Notation> notation = std::nullopt)
      : feed_(feed), people_(std::move(people)), notation_(notation) {}

  /// With all steps that the record has already.
  void begun(const MatchRecord& record, const Position& position) override;
  void asked(const MatchRecord& record, TimePoint until) override;
  void moved(const MatchRecord& record, const Position& position) override;
  void ended(const MatchRecord& record) override;
  void warned(const std::string& text) override;

 private:
  void show(const MatchRecord& record, std::optional<std::size_t> sight);
  void offer(const MatchRecord& record, const Position& position);

  MatchFeed& feed_;
  std::vector<HumanPlayer*> people_;
  std::optional<Notation> notation_;
  std::shared_ptr<const GameDocument> game_;
  std::optional<std::size_t> sight_;  // of the person from whom something is hidden
  std::optional<MatchDocument> document_;
};

}  // namespace ludens::server
