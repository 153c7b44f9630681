// SPDX-License-Identifier: MIT
// Hosts one match: asks the players, judges their answers, keeps the record.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/game/position.h"
#include "server/game/rulesheet.h"
#include "server/match/dialect.h"
#include "server/match/judge.h"
#include "server/match/match_player.h"
#include "server/records/match_record.h"

namespace ludens::server {

struct MatchOptions {
  std::string match_id;
  std::vector<std::string> player_names;  // for the record, by role; empty: as they call themselves
  /// The match id that players get; empty: `match_id`. Of several roles with one address, all but
  /// the first play under ids of their own (`ID.ROLE`, counted from 0): to a player each is a
  /// match.
  std::string wire_id;
  const HostDialect* dialect = &kGgpDialect;
  int start_clock_seconds = 10;
  int play_clock_seconds = 5;
  std::optional<int> preview_clock_seconds;  // nullopt: no PREVIEW
  std::uint64_t seed = 1;                    // of replacements, `random` roles and scrambling
  std::optional<ReplacementPolicy> replace;  // nullopt: as the dialect does
  bool scramble = false;
  std::size_t opening_steps = 0;  // first joint moves, drawn by the host from the seed
  /// Instead of drawn ones: joint moves of an earlier match, in the names of the rulesheet, from
  /// which to continue; and the id of that match, for the record.
  std::vector<std::vector<std::string>> first_moves;
  std::string continues;
  std::size_t step_cap = 0;     // steps after which to break off; 0: none
  std::size_t failure_cap = 0;  // errors of one role in a row at which to break off; 0: none
  /// Whether to break off as soon as a player can't be reached, too.
  bool crash_ends = false;
  /// How long players have to answer STOP, and ABORT; nothing happens after that.
  std::chrono::milliseconds stop_limit{5000}, abort_limit{1500};
  std::size_t memory_bytes = std::size_t{1} << 30;  // for the host's own reasoning
  std::filesystem::path folder;                     // of the records; empty: keeps none
  std::string tournament;                           // name in the record; empty: none
  /// Why a stop was requested, for the record; empty: it was interrupted. Called on the match's
  /// thread after the request.
  std::function<std::string()> stop_reason;
};

/// Follows a match, on its thread. The record contains the match so far.
class MatchObserver {
 public:
  virtual ~MatchObserver() = default;
  /// The initial state is known; no player has been asked.
  virtual void begun(const MatchRecord& /*record*/, const Position& /*position*/) {}
  /// The players have been asked: to get ready if `record.errors` is empty, otherwise for their
  /// moves. They have until then, except people (human_player.h).
  virtual void asked(const MatchRecord& /*record*/, TimePoint /*until*/) {}
  /// A joint move was made: `record.moves.back()` led to `position`.
  virtual void moved(const MatchRecord& /*record*/, const Position& /*position*/) {}
  /// No player needs to think any more; the record is that of `ended`. STOP or ABORT is sent now.
  virtual void decided(const MatchRecord& /*record*/) {}
  /// The role's player has answered STOP or ABORT, or can't. Not called for players that the host
  /// no longer waits for.
  virtual void released(const MatchRecord& /*record*/, gdl::RoleIndex /*role*/) {}
  /// Completed, or aborted for `record.end_reason`.
  virtual void ended(const MatchRecord& /*record*/) {}
  /// Something that people should know, and that the record also contains if possible.
  virtual void warned(const std::string& /*text*/) {}
};

/// Plays one match to its end on the calling thread, which runs `context` (the one that the players
/// were made with) and must be the only one to do so; several matches run on as many threads, each
/// with a context of its own. `players` has one entry per role; null if the host plays the role at
/// random, as it does for `random`. A stop request aborts the match within two seconds, and ends
/// the wait for answers to STOP immediately. Never throws for what players or rulesheets do. See
/// server/PROTOCOL.md, "As a host".
MatchRecord run_match(const Rulesheet& game, const MatchOptions& options,
                      const std::vector<std::unique_ptr<MatchPlayer>>& players,
                      boost::asio::io_context& context, std::stop_token stop,
                      MatchObserver& observer);

/// `NAME.MILLISECONDS`, of letters, digits, '.', '_' and '-'.
std::string make_match_id(const std::string& game, std::int64_t now_ms);

/// The same for a match that begins now, with a different id in each call of this process. The
/// milliseconds of the id may be later than the clock.
std::string new_match_id(const std::string& game);

/// Milliseconds since 1970.
std::int64_t wall_clock_ms();

}  // namespace ludens::server
