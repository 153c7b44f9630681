// Messages to a player that is free (protocol notes, section 2).
#include "server/compliance/expectation.h"
#include "server/player/protocol.h"

namespace ludens::server {
namespace {

Expectation busy() {
  return says("busy");
}

/// The player must be free, before and after.
Outcome while_free(Setting& s, std::string_view message, const Expectation& expectation,
                   std::chrono::milliseconds limit = Peer::kPrompt) {
  const Talk before = s.peer.ask("( INFO )");
  if (!is_info("busy")(before.result)) return skipped(before, "the player is busy");
  const Outcome outcome = expect(s.peer.ask(message, limit), {expectation});
  if (outcome.verdict != Outcome::Verdict::Passed) return outcome;
  const Talk after = s.peer.ask("( INFO )");
  return is_info("available")(after.result) ? expect(after, {is_info("available")}) : outcome;
}

Outcome refused_start(Setting& s, const std::string& role, const std::string& rules) {
  const std::chrono::seconds limit(s.start_clock_seconds);
  return while_free(
      s, start_text(s.new_match_id(), role, rules, s.start_clock_seconds, s.play_clock_seconds),
      busy(), limit);
}

std::string own_role(const Setting& s) {
  const auto& rules = *s.game.rules;
  return rules.print(rules.roles[s.game.role]);
}

Outcome info(Setting& s) {
  return while_free(s, "( INFO )", is_info("available"));
}
Outcome ping(Setting& s) {
  return while_free(s, "( PING )", is_info("available"));
}
Outcome any_case(Setting& s) {
  return while_free(s, "(iNfo)", is_info("available"));
}
Outcome unknown_play(Setting& s) {
  return while_free(s, "( PLAY unheard.of NIL )", busy());
}
Outcome unknown_stop(Setting& s) {
  return while_free(s, "( STOP unheard.of ( a b ) )", busy());
}
Outcome unknown_abort(Setting& s) {
  return while_free(s, "( ABORT unheard.of )", busy());
}
Outcome percepts(Setting& s) {
  return while_free(s, "( PLAY unheard.of 1 noop ( ( saw a ) ) )", busy());
}

Outcome preview(Setting& s) {
  const std::chrono::seconds limit(s.start_clock_seconds);
  return while_free(s, preview_text(s.game.description, s.start_clock_seconds), says("ready"),
                    limit);
}

Outcome unknown_role(Setting& s) {
  return refused_start(s, "nobody_here", s.game.description);
}

Outcome no_rules(Setting& s) {
  return refused_start(s, "x", "( )");
}

Outcome no_moves(Setting& s) {
  return refused_start(s, "x", "( ( role x ) ( init ( a 1 ) ) )");
}

Outcome imperfect_information(Setting& s) {
  std::string rules = s.game.description;
  rules.replace(rules.size() - 1, 1, "( <= ( sees ?r seen ) ( role ?r ) ) )");
  return refused_start(s, own_role(s), rules);
}

constexpr Case kCases[] = {
    {"info", "INFO: available", info},
    {"ping", "PING is INFO", ping},
    {"any-case", "keywords come in any case", any_case},
    {"unknown-play", "PLAY of an unknown match: busy", unknown_play},
    {"unknown-stop", "STOP of an unknown match: busy", unknown_stop},
    {"unknown-abort", "ABORT of an unknown match: busy", unknown_abort},
    {"gdl2-play", "PLAY with percepts: busy", percepts},
    {"preview", "PREVIEW: ready", preview},
    {"unknown-role", "START with a role that the rules don't have: busy", unknown_role},
    {"no-rules", "START without rules: busy", no_rules},
    {"no-moves", "START with rules that derive no moves: busy", no_moves},
    {"gdl2-start", "START of a game with imperfect information: busy", imperfect_information},
};

}  // namespace

std::span<const Case> message_cases() {
  return kCases;
}

}  // namespace ludens::server
