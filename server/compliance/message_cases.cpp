// SPDX-License-Identifier: MIT
// Messages to a player that is free (server/PROTOCOL.md, "Messages").
#include "server/compliance/expectation.h"
#include "server/player/protocol.h"

namespace ludens::server {
namespace {

Expectation busy() {
  return says("busy");
}

/// The player must be free, before and after.
Outcome while_free(Trial& trial, std::string_view message, const Expectation& expectation,
                   std::chrono::milliseconds limit = Peer::kPrompt) {
  const Talk before = trial.peer.ask("( INFO )");
  if (!is_info("busy")(before.result)) return skipped(before, "the player is busy");
  const Outcome outcome = expect(trial.peer.ask(message, limit), {expectation});
  if (outcome.verdict != Outcome::Verdict::Passed) return outcome;
  const Talk after = trial.peer.ask("( INFO )");
  return is_info("available")(after.result) ? expect(after, {is_info("available")}) : outcome;
}

Outcome refused_start(Trial& trial, const std::string& role, const std::string& rules) {
  const std::chrono::seconds limit(trial.start_clock_seconds);
  const std::string id = trial.new_match_id();
  const Outcome outcome = while_free(
      trial, start_text(id, role, rules, trial.start_clock_seconds, trial.play_clock_seconds),
      busy(), limit);
  if (outcome.verdict == Outcome::Verdict::Failed) trial.peer.farewell(abort_text(id));
  return outcome;
}

Outcome info(Trial& trial) {
  return while_free(trial, "( INFO )", is_info("available"));
}
Outcome ping(Trial& trial) {
  return while_free(trial, "( PING )", is_info("available"));
}
Outcome any_case(Trial& trial) {
  return while_free(trial, "(iNfo)", is_info("available"));
}
Outcome unknown_play(Trial& trial) {
  return while_free(trial, "( PLAY unheard.of NIL )", busy());
}
Outcome unknown_stop(Trial& trial) {
  return while_free(trial, "( STOP unheard.of ( a b ) )", busy());
}
Outcome unknown_abort(Trial& trial) {
  return while_free(trial, "( ABORT unheard.of )", busy());
}
Outcome unknown_percepts(Trial& trial) {
  return while_free(trial, "( PLAY unheard.of 1 noop ( ( saw a ) ) )", busy());
}

Outcome preview(Trial& trial) {
  const std::chrono::seconds limit(trial.start_clock_seconds);
  return while_free(trial, preview_text(trial.game.description, trial.start_clock_seconds),
                    says("ready"), limit);
}

Outcome unknown_role(Trial& trial) {
  return refused_start(trial, "nobody_here", trial.game.description);
}

Outcome no_rules(Trial& trial) {
  return refused_start(trial, "x", "( )");
}

Outcome no_moves(Trial& trial) {
  return refused_start(trial, "x", "( ( role x ) ( init ( a 1 ) ) )");
}

constexpr Case kCases[] = {
    {"info", "INFO: available", info},
    {"ping", "PING is INFO", ping},
    {"any-case", "keywords come in any case", any_case},
    {"unknown-play", "PLAY of an unknown match: busy", unknown_play},
    {"unknown-stop", "STOP of an unknown match: busy", unknown_stop},
    {"unknown-abort", "ABORT of an unknown match: busy", unknown_abort},
    {"unknown-percepts", "PLAY of an unknown match, with percepts: busy", unknown_percepts},
    {"preview", "PREVIEW: ready", preview},
    {"unknown-role", "START with a role that the rules don't have: busy", unknown_role},
    {"no-rules", "START without rules: busy", no_rules},
    {"no-moves", "START with rules that derive no moves: busy", no_moves},
};

}  // namespace

std::span<const Case> message_cases() {
  return kCases;
}

}  // namespace ludens::server
