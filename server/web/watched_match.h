// SPDX-License-Identifier: MIT
// A running match, shown by a feed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/match/match.h"
#include "server/web/human_player.h"
#include "server/web/match_feed.h"

namespace ludens::server {

/// Reports one match after another to the feed, and legal moves to people. A match is reported as
/// ended even if it was aborted. If information is hidden and a person plays, it only reports what
/// that person knows until the match has ended. On the match's thread.
class WatchedMatch final : public MatchObserver {
 public:
  /// `people` by role, null for seats without a person; may be empty. They and the feed must
  /// outlive it. `notation`: nullopt means that of the rulesheet.
  explicit WatchedMatch(MatchFeed& feed, std::vector<HumanPlayer*> people = {},
                        std::optional<Notation> notation = std::nullopt)
      : feed_(feed), people_(std::move(people)), notation_(notation) {}

  /// Begins with all steps that the record already has.
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
