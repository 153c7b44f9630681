// SPDX-License-Identifier: MIT
// Matches with people, one after another at the same page.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/match/adviser.h"
#include "server/match/match.h"
#include "server/web/human_player.h"
#include "server/web/match_feed.h"
#include "server/web/watched_match.h"

namespace ludens::server {

/// How the next match begins.
struct NextMatch {
  std::vector<std::vector<std::string>> first_moves;  // of the previous match, from which it
                                                      // continues
  std::string continues;                              // the id of that match; empty: from the start
  std::optional<std::size_t> role;                    // that a person wants to play
};

/// Shows the matches to the feed, and does what people ask for: another match, the other side, a
/// move taken back, a hint. A match that must end for this is aborted with that reason; one that
/// continues it replaces it on the page when it has got as far. Commands come on the feed's thread,
/// everything else on the match's.
class Table final : public MatchObserver {
 public:
  /// Without an adviser there are no hints. The adviser must outlive the table, and the feed must
  /// outlive both.
  Table(MatchFeed& feed, Adviser* adviser);
  ~Table() override;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// To be called before a match, which continues from `first_moves`: `people` by role, null for
  /// seats without a person. They must outlive the match. The returned token ends the match for a
  /// command of people, or when `stop` does.
  std::stop_token prepare(std::vector<HumanPlayer*> people, std::size_t first_moves,
                          const std::stop_token& stop);
  /// Why that stop was requested; empty if it was by the token given.
  [[nodiscard]] std::string stop_reason() const;
  /// To be called after a match: waits until people want another one; nullopt if they don't, or on
  /// a stop request.
  std::optional<NextMatch> next(const std::stop_token& stop);

  void begun(const MatchRecord& record, const Position& position) override;
  void asked(const MatchRecord& record, TimePoint until) override;
  void moved(const MatchRecord& record, const Position& position) override;
  void ended(const MatchRecord& record) override;
  void warned(const std::string& text) override;

 private:
  void show(const MatchRecord& record, const Position& position);
  void look_for_choice(const Position& position);
  /// On the feed's thread.
  std::string carry_out(const PageCommand& command);
  std::string advise(const PageCommand& command);

  MatchFeed& feed_;
  Adviser* adviser_;

  // Belong to the match's thread:
  std::vector<HumanPlayer*> people_;
  std::optional<WatchedMatch> live_;
  std::size_t first_moves_ = 0;
  bool choice_ = false;  // whether people choose in the current position
  bool told_ = false;    // whether the end of the match was reported
  std::string dropped_;  // the match on the page whose place the next one takes
  std::optional<std::stop_callback<std::function<void()>>> stopping_;

  mutable std::mutex mutex_;  // guards the following
  std::condition_variable_any wished_;
  std::stop_source stop_;
  std::optional<PageCommand> command_;  // that ends the match
  std::string id_;
  std::vector<std::string> roles_;
  std::vector<std::vector<std::string>> moves_;
  std::optional<std::size_t> last_choice_;  // the step for which people chose last
  std::shared_ptr<const GameDocument> game_;
};

}  // namespace ludens::server
