// SPDX-License-Identifier: MIT
// `ludens play`: a person against the program, in a browser.
#include "server/cli/commands.h"

#include <algorithm>
#include <csignal>

#include "gdl/text/nearest_name.h"
#include "gdl/text/syntax.h"
#include "search/strategy/stopping.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/match_host.h"

namespace ludens::server {

namespace {

constexpr const char* kSomeGames =
    "tic_tac_toe, connect_four, breakthrough_small, checkers, chess, othello, hex_small, nim";

/// The roles that need a player, in their order.
std::vector<std::string> roles_of(const gdl::Rules& rules) {
  std::vector<std::string> roles;
  for (gdl::RoleIndex role = 0; role < rules.roles.size(); ++role) {
    if (role != rules.random) roles.push_back(rules.print(rules.roles[role]));
  }
  return roles;
}

/// The seat of the person, or a sentence.
gdl::Result<std::size_t> find_seat(const std::vector<std::string>& roles,
                                   const std::string& wanted) {
  if (wanted.empty()) return std::size_t{0};
  const auto found = std::find_if(roles.begin(), roles.end(), [&](const std::string& role) {
    return gdl::fold_case(role) == gdl::fold_case(wanted);
  });
  if (found != roles.end()) return static_cast<std::size_t>(found - roles.begin());
  std::string all;
  for (const std::string& role : roles) all += (all.empty() ? "" : ", ") + role;
  const std::string near = gdl::did_you_mean(wanted, roles);
  return gdl::Error{"no role '" + wanted + "'" + (near.empty() ? "; the" : near + " The") +
                    " roles are " + all};
}

/// A person in one seat and players in the others, or a sentence.
gdl::Result<std::vector<PlayerSpec>> make_seats(const PlayCommandOptions& options,
                                                const std::vector<std::string>& roles,
                                                std::size_t person) {
  std::vector<std::string> against = options.against;
  if (against.empty()) against.emplace_back("auto");
  const std::size_t others = roles.size() - 1;
  if (others == 0 && !options.against.empty()) {
    return gdl::Error{"--against: the game has one role, which is yours"};
  }
  if (against.size() > 1 && against.size() != others) {
    return gdl::Error{std::to_string(against.size()) + " players for " + std::to_string(others) +
                      (others == 1 ? " role" : " roles") +
                      "; give one --against for all, or one for each"};
  }
  std::vector<PlayerSpec> seats(roles.size(), Human{});
  for (std::size_t seat = 0, other = 0; seat < roles.size(); ++seat) {
    if (seat == person) continue;
    const std::string& text = against.size() == 1 ? against.front() : against[other];
    ++other;
    auto spec = parse_player(text);
    if (!spec) return gdl::Error{text + ": " + spec.error().text};
    seats[seat] = *std::move(spec);
  }
  return seats;
}

}  // namespace

int play_command(const PlayCommandOptions& options) {
  if (options.game.empty()) {
    return fail(kWrongUse, "play",
                std::string("which game? For example ") + kSomeGames + " (ludens games lists all)");
  }
  const Interrupt interrupt;
  const search::Deadline stop(interrupt.token());
  auto loaded = load_playable(options.game, &stop);
  if (!loaded) return loaded.error().exit_code;
  const Rulesheet& game = *loaded;
  const std::vector<std::string> roles = roles_of(*game.rules);
  const auto person = find_seat(roles, options.role);
  if (!person) return fail(kWrongUse, "play", person.error().text);
  auto seats = make_seats(options, roles, *person);
  if (!seats) return fail(kWrongUse, "play", seats.error().text);
  MatchOptions match;
  match.folder = options.out;
  match.start_clock_seconds = options.start_clock;
  match.play_clock_seconds = options.play_clock;
  match.seed = options.seed != 0 ? options.seed : fresh_seed();
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away does not end the match
  MatchHostOptions host{"play", "--port",     options.port,       options.human_clock,
                        true,   options.json, !options.no_browser};
  return host_matches(host, game, *std::move(seats), std::move(match), interrupt.token());
}

}  // namespace ludens::server
