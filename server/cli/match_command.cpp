#include "server/cli/match_command.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <variant>

#include "server/cli/command_line.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/match_printer.h"
#include "server/match/match.h"
#include "server/match/player_spec.h"
#include "server/records/record_files.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

int fail(int code, const std::string& text) {
  std::cerr << "ludens: match: " << text << "\n";
  return code;
}

/// Says nothing while all goes well.
class Quiet final : public MatchObserver {
 public:
  void warned(const std::string& text) override { std::cerr << "warning: " << text << "\n"; }
};

/// One spec for each role but `random`, or a sentence.
std::variant<std::vector<PlayerSpec>, std::string> parse_players(
    const std::vector<std::string>& texts, const gdl::Rules& rules) {
  const std::size_t wanted = rules.roles.size() - (rules.random ? 1 : 0);
  if (texts.size() != wanted) {
    std::string roles;
    for (gdl::RoleIndex role = 0; role < rules.roles.size(); ++role) {
      if (role != rules.random) roles += " " + rules.print(rules.roles[role]);
    }
    return std::to_string(texts.size()) + " players for " + std::to_string(wanted) +
           (wanted == 1 ? " role" : " roles") + "; give one --player for each of" + roles;
  }
  std::vector<PlayerSpec> specs;
  for (const std::string& text : texts) {
    auto spec = parse_player(text);
    if (const auto* bad = std::get_if<BadPlayer>(&spec)) return text + ": " + bad->why;
    specs.push_back(std::get<PlayerSpec>(std::move(spec)));
  }
  return specs;
}

/// As many as there are roles; null for `random`.
std::vector<std::unique_ptr<MatchPlayer>> make_players(const std::vector<PlayerSpec>& specs,
                                                       const gdl::Rules& rules,
                                                       const MatchOptions& options,
                                                       boost::asio::io_context& context) {
  std::vector<std::unique_ptr<MatchPlayer>> players;
  auto spec = specs.begin();
  for (gdl::RoleIndex role = 0; role < rules.roles.size(); ++role) {
    if (role == rules.random) {
      players.push_back(nullptr);
      continue;
    }
    BuiltinOptions builtin;
    builtin.seed = options.seed + 1 + role;
    players.push_back(make_player(*spec++, builtin, *options.dialect, context));
  }
  return players;
}

/// A number that people can type again.
std::uint64_t fresh_seed() {
  return 1 + std::random_device{}() % 999'999'999;
}

std::string free_match_id(const std::filesystem::path& folder, const std::string& game) {
  std::error_code error;
  for (std::int64_t now = wall_clock_ms();; ++now) {
    std::string id = make_match_id(game, now);
    if (!std::filesystem::exists(RecordFiles(folder, id).json(), error)) return id;
  }
}

std::variant<MatchOptions, std::string> match_options(const MatchCommandOptions& options,
                                                      const std::string& game) {
  MatchOptions match;
  match.dialect = find_dialect(options.dialect);
  if (match.dialect == nullptr) return "--dialect is ggp or dresden, not " + options.dialect;
  if (options.replace == "random") match.replace = ReplacementPolicy::Random;
  if (options.replace == "first") match.replace = ReplacementPolicy::First;
  if (!options.replace.empty() && !match.replace) {
    return "--replace is random or first, not " + options.replace;
  }
  match.folder = options.out;
  match.match_id = free_match_id(match.folder, game);
  match.start_clock_seconds = options.start_clock;
  match.play_clock_seconds = options.play_clock;
  if (options.preview_clock >= 0) match.preview_clock_seconds = options.preview_clock;
  match.seed = options.seed != 0 ? options.seed : fresh_seed();
  match.scramble = options.scramble;
  match.step_cap = options.step_cap;
  return match;
}

json::array names(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

/// Of each role: the longest that it took to answer START, or a PLAY.
json::array slowest(const MatchRecord& record, bool start) {
  json::array out;
  for (std::size_t role = 0; role < record.roles.size(); ++role) {
    double most = 0;
    for (std::size_t step = 0; step < record.latencies_ms.size(); ++step) {
      if ((step == 0) == start) most = std::max(most, record.latencies_ms[step][role]);
    }
    out.emplace_back(most);
  }
  return out;
}

std::string as_json(const MatchRecord& record, const std::string& file) {
  json::array errors;
  for (std::size_t step = 0; step < record.errors.size(); ++step) {
    for (std::size_t role = 0; role < record.errors[step].size(); ++role) {
      const std::string& error = record.errors[step][role];
      if (error.empty()) continue;
      const std::string code = error_code(error);
      json::object entry{{"step", step}, {"role", record.roles[role]}, {"code", code}};
      entry["move"] = error.size() > code.size() ? error.substr(code.size() + 1) : "";
      errors.push_back(std::move(entry));
    }
  }
  const json::object out{{"match", record.match_id},
                         {"game", record.game},
                         {"roles", names(record.roles)},
                         {"players", names(record.players)},
                         {"moves", record.moves.size()},
                         {"goals", json::array(record.goals.begin(), record.goals.end())},
                         {"errors", std::move(errors)},
                         {"record", file},
                         {"completed", record.completed},
                         {"reason", record.end_reason},
                         {"slowest_start_ms", slowest(record, true)},
                         {"slowest_ms", slowest(record, false)}};
  return json::serialize(out);
}

bool faultless(const MatchRecord& record) {
  for (const auto& row : record.errors) {
    for (const std::string& error : row) {
      if (!error.empty()) return false;
    }
  }
  return true;
}

}  // namespace

int match_command(const MatchCommandOptions& options) {
  auto loaded = load_playable(options.game, options.force);
  if (const int* code = std::get_if<int>(&loaded)) return *code;
  const Rulesheet& game = std::get<Rulesheet>(loaded);
  const auto specs = parse_players(options.players, *game.rules);
  if (const auto* why = std::get_if<std::string>(&specs)) return fail(kWrongUse, *why);
  const auto wanted = match_options(options, game.name);
  if (const auto* why = std::get_if<std::string>(&wanted)) return fail(kWrongUse, *why);
  const auto& match = std::get<MatchOptions>(wanted);

  std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away does not end the match
  const Interrupt interrupt;
  boost::asio::io_context context(1);
  const auto players =
      make_players(std::get<std::vector<PlayerSpec>>(specs), *game.rules, match, context);
  MatchPrinter printer(std::cerr);
  Quiet quiet;
  MatchObserver& observer =
      options.quiet || options.json ? static_cast<MatchObserver&>(quiet) : printer;
  const MatchRecord record = run_match(game, match, players, context, interrupt.token(), observer);
  const std::string file = RecordFiles(match.folder, match.match_id).json().string();
  if (options.json) {
    std::cout << as_json(record, file) << "\n";
  } else {
    std::cout << result_text(record) << "\n" << file << "\n";
  }
  const bool capped = options.step_cap > 0 && record.moves.size() >= options.step_cap;
  return (record.completed || capped) && faultless(record) ? kGood : kNotGood;
}

}  // namespace ludens::server
