// SPDX-License-Identifier: MIT
// Following a tournament while it runs: terminals, pages, printers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/game/position.h"
#include "server/match/repeated_warnings.h"
#include "server/records/match_record.h"
#include "server/tournament/log.h"
#include "server/tournament/plan.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// A match that has begun.
struct StartedMatch {
  std::string match;  // id, as in MatchResult
  BlockPlace block;
  std::size_t game = 0;              // index into the plan's games
  std::vector<std::string> players;  // by role; empty where the host plays by chance
};

/// What a run is about to do.
struct TournamentOverview {
  std::size_t matches = 0;            // of the schedule (of the shard), including finished ones
  std::size_t blocks = 0;             // the same for blocks
  std::span<const MatchResult> done;  // from the log, in its order; valid during the call
  Shard shard = {};
};

struct TournamentEnding {
  bool finished = false;  // everything is played, or decided; otherwise it was interrupted, and can
                          // be resumed
  std::string reason;     // "all matches played", "interrupted", "H1 accepted", what went wrong
};

/// Calls come from the threads of the matches:
///  * `began` comes first and alone, `ended` last and alone.
///  * The calls about one match (`match_began`, `moved`, `match_ended`) come one at a time.
///  * Calls about different matches may come at the same time, so that an observer guards what it
///    keeps, but for `match_ended`, `block_ended` and `decided`, of which there is one at a time,
///    in the order of the log.
/// A match waits while it is observed: be quick, and never throw. References are valid during the
/// call. An interrupted match ends without `match_ended`; `match_dropped` is called instead. A
/// match that is not played because a player is down has no `match_began`.
class TournamentObserver {
 public:
  virtual ~TournamentObserver() = default;
  virtual void began(const TournamentPlan& /*plan*/, const TournamentOverview& /*overview*/) {}
  /// The initial state is known; no player has been asked.
  virtual void match_began(const StartedMatch& /*match*/, const MatchRecord& /*record*/,
                           const Position& /*position*/) {}
  /// `record.moves.back()` led to `position`; the record contains everything known so far.
  virtual void moved(const StartedMatch& /*match*/, const MatchRecord& /*record*/,
                     const Position& /*position*/) {}
  /// It is in the log.
  virtual void match_ended(const StartedMatch& /*match*/, const MatchResult& /*result*/) {}
  virtual void match_dropped(const StartedMatch& /*match*/) {}
  /// All matches of a block are in the log; if some were aborted, it does not count.
  virtual void block_ended(std::span<const MatchResult> /*matches*/) {}
  /// The stop rule has a verdict ("H1 accepted"); running matches are dropped.
  virtual void decided(const std::string& /*verdict*/) {}
  /// Something that people should know.
  virtual void warned(const std::string& /*text*/) {}
  virtual void ended(const TournamentEnding& /*ending*/) {}
};

/// Forwards every call to several observers, in their order; repeated warnings only now and then.
class TournamentObservers final : public TournamentObserver {
 public:
  /// They must outlive this.
  explicit TournamentObservers(std::vector<TournamentObserver*> observers)
      : observers_(std::move(observers)) {}
  void began(const TournamentPlan& plan, const TournamentOverview& overview) override;
  void match_began(const StartedMatch& match, const MatchRecord& record,
                   const Position& position) override;
  void moved(const StartedMatch& match, const MatchRecord& record,
             const Position& position) override;
  void match_ended(const StartedMatch& match, const MatchResult& result) override;
  void match_dropped(const StartedMatch& match) override;
  void block_ended(std::span<const MatchResult> matches) override;
  void decided(const std::string& verdict) override;
  void warned(const std::string& text) override;
  void ended(const TournamentEnding& ending) override;

 private:
  std::vector<TournamentObserver*> observers_;
  RepeatedWarnings warnings_;
};

}  // namespace ludens::server
