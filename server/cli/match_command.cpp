// SPDX-License-Identifier: MIT
// `ludens match`: hosts one match.
#include "server/cli/commands.h"

#include <csignal>

#include "search/strategy/stopping.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/match_host.h"
#include "server/match/dialect.h"

namespace ludens::server {

namespace {

/// One seat for each role but `random`, or a sentence. Roles left out are played by `auto`.
gdl::Result<std::vector<PlayerSpec>> parse_players(const std::vector<std::string>& texts,
                                                   const gdl::Rules& rules) {
  const std::size_t wanted = rules.roles.size() - (rules.random ? 1 : 0);
  if (texts.size() > wanted) {
    std::string roles;
    for (gdl::RoleIndex role = 0; role < rules.roles.size(); ++role) {
      if (role != rules.random) roles += " " + rules.print(rules.roles[role]);
    }
    return gdl::Error{std::to_string(texts.size()) + " players for " + std::to_string(wanted) +
                      (wanted == 1 ? " role" : " roles") +
                      "; give at most one --player for each of" + roles};
  }
  std::vector<PlayerSpec> seats;
  for (const std::string& text : texts) {
    auto spec = parse_player(text);
    if (!spec) return gdl::Error{text + ": " + spec.error().text};
    seats.emplace_back(*std::move(spec));
  }
  while (seats.size() < wanted) seats.emplace_back(parse_player("auto").value());
  return seats;
}

/// Returns which option is missing for people, as a sentence; empty if none is.
std::string complaint(const MatchCommandOptions& options, const std::vector<PlayerSpec>& seats) {
  if (!has_people(seats)) return {};
  if (options.watch < 0) return "a human player needs a page to play on: --watch PORT";
  if (options.scramble) return "people play by the names of the rules: human without --scramble";
  return {};
}

MatchOptions match_options(const MatchCommandOptions& options) {
  MatchOptions match;
  match.dialect = find_dialect(options.dialect);
  if (options.replace == "random") match.replace = ReplacementPolicy::Random;
  if (options.replace == "first") match.replace = ReplacementPolicy::First;
  match.folder = options.out;
  match.start_clock_seconds = options.start_clock;
  match.play_clock_seconds = options.play_clock;
  if (options.preview_clock >= 0) match.preview_clock_seconds = options.preview_clock;
  match.seed = options.seed != 0 ? options.seed : fresh_seed();
  match.scramble = options.scramble;
  match.opening_steps = options.opening;
  match.step_cap = options.step_cap;
  return match;
}

}  // namespace

int match_command(const MatchCommandOptions& options) {
  const Interrupt interrupt;
  const search::Deadline stop(interrupt.token());
  auto loaded = load_playable(options.game, options.force, &stop);
  if (!loaded) return loaded.error().exit_code;
  const Rulesheet& game = *loaded;
  auto players = parse_players(options.players, *game.rules);
  if (!players) return fail(kWrongUse, "match", players.error().text);
  std::vector<PlayerSpec>& seats = *players;
  if (const std::string why = complaint(options, seats); !why.empty())
    return fail(kWrongUse, "match", why);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away does not end the match
  const MatchHostOptions host{"match",       "--watch",   options.watch, options.human_clock,
                              options.quiet, options.json};
  return host_matches(host, game, std::move(seats), match_options(options), interrupt.token());
}

}  // namespace ludens::server
