// SPDX-License-Identifier: MIT
// `ludens analyze`: what is known about a game, how, and what `auto` does with it.
#include "server/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>
#include <stop_token>
#include <thread>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/network/passes/passes.h"
#include "gdl/text/printable.h"
#include "search/analysis/game_analysis.h"
#include "search/auto/plan.h"
#include "search/registry/registry.h"
#include "server/cli/diagnostic_lines.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/hidden_report.h"
#include "server/cli/interrupt.h"
#include "server/cli/network_report.h"
#include "server/cli/study.h"
#include "server/cli/terminal.h"
#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// The analysis and its inputs.
struct Report {
  std::string game;
  std::vector<std::string> roles;
  std::string machine;
  double ready_ms = 0;
  search::GameAnalysis analysis;
  search::AutoPlan plan;
  NetworkReport network;
  std::optional<HiddenReport> hidden;  // if the rules hide something
  std::string start_clock;             // empty: not asked for
};

constexpr std::size_t kMaxWarningsShown = 20;
constexpr std::string_view kZeroSum = "zero_sum";  // means nothing for a game with one role

struct NamedFact {
  std::string_view name;
  const char* yes;  // in words; null if another fact says the same
  const char* no;
  search::Fact fact;
};

std::vector<NamedFact> facts_of(const search::GameAnalysis& game) {
  const search::Fact simultaneous{!game.turn_taking.holds, game.turn_taking.proved};
  return {
      {"single_player", "one player", "several players", game.single_player},
      {"turn_taking", "roles move in turn", "roles move at once", game.turn_taking},
      {"simultaneous", nullptr, nullptr, simultaneous},
      {kZeroSum, "goals add up to a constant", "goals do not add up to a constant", game.fixed_sum},
      {"chance", "chance takes part", "no chance", game.chance},
      {"states_recur", "states can recur", "no state recurs within a game", game.states_recur},
  };
}

double rounded(double value, double digits) {
  return std::round(value * digits) / digits;
}

/// How `auto` plays it.
std::string strategy_of(const Report& report) {
  return std::string(report.hidden ? report.hidden->strategy()
                                   : search::main_strategy(report.plan, report.analysis));
}
std::string why_of(const Report& report) {
  return report.hidden ? report.hidden->why() : report.plan.why;
}

boost::json::object to_json(const Report& report) {
  const search::GameAnalysis& game = report.analysis;
  boost::json::object out{{"game", report.game},
                          {"machine", report.machine},
                          {"ready_ms", rounded(report.ready_ms, 10)},
                          {"roles", boost::json::array(report.roles.begin(), report.roles.end())},
                          {"players", game.players}};
  boost::json::array proved, monotone, goals;
  for (const NamedFact& fact : facts_of(game)) {
    out[fact.name] = fact.fact.holds;
    if (fact.fact.proved) proved.emplace_back(fact.name);
  }
  bool all_proved = true;
  for (const search::Fact& fact : game.monotone_goals) {
    monotone.emplace_back(fact.holds);
    all_proved &= fact.proved;
  }
  if (all_proved) proved.emplace_back("monotone_goals");
  for (const double goal : game.mean_goals) goals.emplace_back(rounded(goal, 100));
  out["monotone_goals"] = std::move(monotone);
  out["proved"] = std::move(proved);
  out["states"] = game.states ? boost::json::value(*game.states) : nullptr;
  out["longest_game"] = game.depth ? boost::json::value(*game.depth) : nullptr;
  out["playouts"] = game.playouts;
  out["cut"] = game.cut;
  out["mean_length"] = rounded(game.mean_length, 100);
  out["longest_playout"] = game.longest;
  out["branching"] = rounded(game.mean_branching, 100);
  out["tree_magnitude"] = rounded(game.tree_magnitude, 100);
  out["mean_goals"] = std::move(goals);
  out["steps_per_s"] = std::round(game.steps_per_second);
  out["network"] = to_json(report.network);
  out["hidden"] = report.hidden ? boost::json::value(to_json(*report.hidden)) : nullptr;
  out["strategy"] = strategy_of(report);
  out["kind"] = report.plan.kind;
  out["why"] = why_of(report);
  out["start_clock"] =
      report.start_clock.empty() ? boost::json::value() : boost::json::value(report.start_clock);
  return out;
}

void print_size(const search::GameAnalysis& game) {
  std::printf("size\n");
  if (game.states) {
    std::printf("  %llu states, all visited\n", static_cast<unsigned long long>(*game.states));
  } else {
    std::printf("  too many states to visit them all\n");
  }
  if (game.depth) std::printf("  the longest game has %u steps\n", *game.depth);
  std::printf("  about 1e%.1f ways to play, %.2f joint moves a state\n", game.tree_magnitude,
              game.mean_branching);
  std::printf(
      "random play\n  %llu playouts to the end, %llu cut; %.1f steps on average, at most %u\n",
      static_cast<unsigned long long>(game.playouts), static_cast<unsigned long long>(game.cut),
      game.mean_length, game.longest);
}

void print_text(const Report& report) {
  const search::GameAnalysis& game = report.analysis;
  std::printf("%s, on the %s, ready in %.1f ms\nroles\n", report.game.c_str(),
              report.machine.c_str(), report.ready_ms);
  for (std::size_t r = 0; r < report.roles.size(); ++r) {
    std::printf("  %s", gdl::printable(report.roles[r]).c_str());
    if (r < game.mean_goals.size()) std::printf(": %.1f at random", game.mean_goals[r]);
    if (r < game.monotone_goals.size() && game.monotone_goals[r].holds) {
      std::printf(", its goal never falls%s", game.monotone_goals[r].proved ? "" : " (as sampled)");
    }
    std::printf("\n");
  }
  std::printf("kind\n");
  for (const NamedFact& fact : facts_of(game)) {
    if (fact.yes == nullptr || (game.players == 1 && fact.name == kZeroSum)) continue;
    std::printf("  %s (%s)\n", fact.fact.holds ? fact.yes : fact.no,
                fact.fact.proved ? "proved" : "as sampled");
  }
  print_size(game);
  print_text(report.network);
  if (report.hidden) print_text(*report.hidden);
  std::printf("auto\n  %s: %s\n", strategy_of(report).c_str(), why_of(report).c_str());
  if (report.start_clock.empty()) return;
  std::printf("  in the start clock: %s\n", gdl::printable(report.start_clock).c_str());
}

/// False if the initial state could not be derived in time.
bool analyse(const Rulesheet& sheet, const AnalyzeOptions& options, const std::stop_token& stop,
             Report& report) {
  const auto begin = std::chrono::steady_clock::now();
  const search::Deadline deadline = search::Deadline::in(options.seconds, stop);
  const auto machine =
      gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(sheet.rules), {&deadline, nullptr});
  report.game = sheet.name;
  report.machine = machine->name();
  for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) {
    report.roles.push_back(machine->role_name(r));
  }
  const auto context = machine->make_context({.stop = &deadline, .memory = nullptr});
  gdl::State start;
  if (machine->initial(*context, start) != gdl::Status::Ok) return false;
  report.ready_ms = Milliseconds(std::chrono::steady_clock::now() - begin).count();
  search::AnalysisBudget budget;
  budget.playouts =
      options.playouts != 0 ? options.playouts : std::numeric_limits<std::uint64_t>::max();
  budget.states = options.states;
  gdl::Rng rng(options.seed);
  report.analysis = search::analyse(*machine, *context, start, budget, deadline, rng);
  report.plan = search::plan_for(report.analysis);
  report.network = report_network(sheet.rules, {.seconds = options.seconds,
                                                .verify = options.verify,
                                                .dot = !options.dot.empty(),
                                                .skip = options.skip,
                                                .stop = stop});
  report.hidden = report_hidden(sheet.rules, {.seconds = options.seconds,
                                              .playouts = options.playouts,
                                              .seed = options.seed,
                                              .stop = stop});
  return true;
}

/// Lets `auto` think about the first move as a player does at START; returns its explanation.
gdl::Result<std::string, Failure> play_start_clock(const AnalyzeOptions& options) {
  StudyOptions game;
  game.game = options.game;
  game.seconds = options.start_clock;
  auto opened = Study::open("analyze", game, "auto");
  if (!opened) return opened.error();
  Study& study = **opened;
  const search::StrategySpec spec{
      "auto", {{"seed", std::to_string(std::max<std::uint64_t>(1, options.seed))}}};
  const search::Resources resources{.threads = std::max(1U, std::thread::hardware_concurrency()),
                                    .memory = &study.memory(),
                                    .knowledge = agent::knowledge_of(spec)};
  const auto strategy = search::make_known_strategy(spec.name, spec.options, resources);
  search::Incumbent incumbent;
  const ProgressLine progress([&] { return cap_text(options.start_clock) + "the start clock"; });
  study.run(study.deadline(options.start_clock), [&](const search::Deadline& until) {
    strategy->think(study.position(), until, incumbent);
    return false;
  });
  return strategy->explanation();
}

/// Returns why the requested drawing could not be written; empty if it was.
std::string draw(const AnalyzeOptions& options, const NetworkReport& network) {
  if (options.dot.empty()) return {};
  if (!network.refused.empty()) return "there is no network to draw: " + network.refused;
  const auto error = write_atomically(options.dot, network.dot, Durability::Renamed);
  return error ? error.message() : std::string();
}

/// Errors are already reported.
void show_warnings(const Rulesheet& sheet) {
  gdl::Diagnostics warnings = every_diagnostic(sheet);
  std::erase_if(warnings, [](const auto& d) { return d.severity != gdl::Severity::Warning; });
  print_diagnostics(std::cerr, STDERR_FILENO, warnings, sheet.file, kMaxWarningsShown,
                    "ludens check shows them");
}

}  // namespace

int analyze_command(const AnalyzeOptions& options) {
  for (const std::string& name : options.skip) {
    if (std::ranges::find(gdl::passes(), name, &gdl::Pass::name) != gdl::passes().end()) continue;
    std::cerr << "ludens: there is no pass '" << name << "'; there are";
    for (const gdl::Pass& pass : gdl::passes()) std::cerr << ' ' << pass.name;
    std::cerr << '\n';
    return kWrongUse;
  }
  std::optional<Interrupt> interrupt(std::in_place);
  const search::Deadline interrupted(interrupt->token());
  const auto loaded = load_for_study(options.game, &interrupted);
  if (!loaded) return loaded.error().exit_code;
  const Rulesheet& sheet = *loaded;
  show_warnings(sheet);
  if (const auto error = options.dot.empty() ? std::error_code() : try_writing(options.dot)) {
    std::cerr << "ludens: analyze: " << options.dot << ": " << error.message() << '\n';
    return kCouldNot;
  }
  Report report;
  const bool analysed = [&] {
    const ProgressLine progress(
        [&] { return cap_text(options.seconds) + "and at most as long for the network"; });
    return analyse(sheet, options, interrupt->token(), report);
  }();
  if (!analysed) {
    std::cerr << "ludens: " << options.game << ": no initial state within " << options.seconds
              << " s; try --seconds\n";
    return kCouldNot;
  }
  if (options.start_clock > 0 && !interrupted.stop_requested()) {
    interrupt.reset();  // the study has its own
    auto played = play_start_clock(options);
    if (!played) return played.error().exit_code;
    report.start_clock = *std::move(played);
  }
  if (options.json) {
    std::printf("%s\n", boost::json::serialize(to_json(report)).c_str());
  } else {
    print_text(report);
  }
  if (const std::string why = draw(options, report.network); !why.empty()) {
    std::cerr << "ludens: analyze: " << options.dot << ": " << why << '\n';
    return kCouldNot;
  }
  return report.network.differences.empty() ? kGood : kNotGood;
}

}  // namespace ludens::server
