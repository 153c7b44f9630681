// SPDX-License-Identifier: MIT
// `ludens think`: one search from one position.
#include "server/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <tuple>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/printable.h"
#include "search/hidden/known_position.h"
#include "search/registry/registry.h"
#include "search/strategy/stated_choice.h"
#include "server/cli/exit_code.h"
#include "server/cli/study.h"
#include "server/cli/terminal.h"
#include "server/cli/trace_text.h"
#include "server/statistics/number_text.h"
#include "server/statistics/text_table.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

/// Long enough for a decent answer if nothing else ends the search. Where counts are to end it,
/// this is only a safeguard, and getting the machine ready is not part of it.
constexpr double kSeconds = 5;
constexpr std::size_t kMovesWithLines = 3, kLineSteps = 6;

/// The moves, the best one first, and among equals the chosen one; those without information come
/// last.
std::vector<search::RootMove> sorted_moves(const search::Choice& choice) {
  std::vector<search::RootMove> moves = choice.root;
  const auto rank = [&](const search::RootMove& move) {
    const bool known = move.visits > 0 || move.low == move.high;
    return std::tuple(known, move.value, move.low, move.visits, move.move == choice.move);
  };
  std::ranges::stable_sort(moves, std::ranges::greater{}, rank);
  return moves;
}

json::array line_json(gdl::JointMove variation, const Study& study) {
  json::array line;
  const std::size_t roles = study.machine().role_count();
  for (std::size_t i = 0; i + roles <= variation.size(); i += roles) {
    line.emplace_back(study.joint_move_name(variation.subspan(i, roles)));
  }
  return line;
}

void print_json(const search::Choice& choice, const Study& study, double seconds) {
  json::array root;
  for (const search::RootMove& move : sorted_moves(choice)) {
    json::object entry{{"move", study.move_name(move.move)},
                       {"value", move.value},
                       {"visits", move.visits},
                       {"low", move.low},
                       {"high", move.high}};
    if (!move.variation.empty()) entry["pv"] = line_json(move.variation, study);
    root.push_back(std::move(entry));
  }
  const json::object out{
      {"role", study.role_name()},       {"move", study.move_name(choice.move)},
      {"value", choice.value},           {"exact", choice.exact},
      {"iterations", choice.iterations}, {"nodes", choice.nodes},
      {"depth", choice.depth},           {"seconds", seconds},
      {"root", std::move(root)},         {"pv", line_json(choice.variation, study)}};
  std::cout << json::serialize(out) << std::endl;
}

/// The moves with what is known about them, and the continuation after the best one.
TextTable move_table(const search::Choice& choice, const Study& study) {
  TextTable table({{"move", TextTable::Align::Left},
                   {"value"},
                   {"visits"},
                   {"proved", TextTable::Align::Left},
                   {"line", TextTable::Align::Left}});
  std::size_t row = 0;
  for (const search::RootMove& move : sorted_moves(choice)) {
    const bool top = row++ < kMovesWithLines;
    table.add({study.move_name(move.move), number_text("%.2f", move.value),
               std::to_string(move.visits),
               number_text("%.4g", move.low) + ".." + number_text("%.4g", move.high),
               top ? study.line_text(move.variation, kLineSteps) : ""});
  }
  return table;
}

void print_text(const search::Choice& choice, const Study& study, double seconds) {
  const auto name = [&](gdl::MoveId move) { return gdl::printable(study.move_name(move)); };
  std::printf("%s plays %s, worth %.4g (%s)\n", gdl::printable(study.role_name()).c_str(),
              name(choice.move).c_str(), choice.value, choice.exact ? "exact" : "estimated");
  std::printf("%llu states, %llu iterations, depth %u, %.3f s\n\n",
              static_cast<unsigned long long>(choice.nodes),
              static_cast<unsigned long long>(choice.iterations), choice.depth, seconds);
  if (!choice.root.empty()) {
    const std::size_t width =
        is_terminal(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO) : TextTable::kAnyWidth;
    for (const std::string& line : move_table(choice, study).lines()) {
      std::puts(shortened(gdl::printable(line), width).c_str());
    }
  }
  const json::array line = line_json(choice.variation, study);
  if (!line.empty()) std::printf("\nprincipal variation:");
  for (const json::value& move : line) std::printf(" %s", gdl::printable(move.as_string()).c_str());
  if (!line.empty()) std::printf("\n");
  std::fflush(stdout);
}

/// For the progress line: the cap, and the best so far.
std::string progress_text(const search::Incumbent& incumbent, const Study& study, double cap) {
  const auto choice = incumbent.get();
  if (!choice) return cap_text(cap) + "no move yet";
  const gdl::GoalScale& goals = study.machine().vocabulary()->rules().goals;
  return cap_text(cap) + study.move_name(choice->move) + " worth " +
         number_text("%.1f", goals.shown(choice->value)) + ", depth " +
         std::to_string(choice->depth) + ", " + std::to_string(choice->nodes) + " states";
}

int think(const ThinkOptions& options, const search::StrategySpec& spec, Study& study) {
  search::SearchTrace trace;
  unsigned threads = 1;
  if (const auto given = spec.options.find("threads"); given != spec.options.end()) {
    threads = static_cast<unsigned>(std::stoul(given->second));
  }
  const search::Resources resources{.threads = threads,
                                    .memory = &study.memory(),
                                    .trace = options.trace ? &trace : nullptr,
                                    .knowledge = agent::knowledge_of(spec)};
  auto made = search::make_strategy(spec, resources);
  if (!made) return fail(kWrongUse, "think", made.error().text);
  search::Strategy& strategy = **made;

  search::Incumbent incumbent;
  const auto start = std::chrono::steady_clock::now();
  bool believes = true;
  {
    const double cap = options.study.seconds;
    const search::Deadline deadline =
        study.deadline(cap).no_later_than(search::Deadline::in(cap > 0 ? cap : kSeconds).at());
    const ProgressLine progress([&] { return progress_text(incumbent, study, cap); });
    believes = study.believe(deadline);
    if (believes) {
      study.run(deadline, [&](const search::Deadline& until) {
        strategy.think(study.position(), until, incumbent);
        return false;
      });
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!believes) {
    return fail(
        kCouldNot, "think",
        "nothing that fits what " + study.role_name() + " knows was found in the time given");
  }
  auto choice = incumbent.get();
  if (!choice) return fail(kCouldNot, "think", "no move was found in the time given");
  search::hidden::forget_proofs(study.position(), *choice);
  search::hidden::make_legal(*choice, study.legal());
  for (const std::string& text : {strategy.explanation(), study.pace()}) {
    if (!text.empty()) std::cerr << "ludens: think: " << text << "\n";
  }
  if (options.trace && !options.study.json) {
    if (trace.nodes().empty()) {
      std::cerr << "ludens: think: " << spec.name << " has no tree to show\n";
    }
    print_trace(trace, study, std::cout);
    std::cout << std::endl;
  }
  choice = search::stated(*std::move(choice), study.machine().vocabulary()->rules().goals);
  options.study.json ? print_json(*choice, study, seconds) : print_text(*choice, study, seconds);
  return kGood;
}

/// The time for all of it: the cap of the option or of the strategy; 0: only counts limit it.
double cap_of(const ThinkOptions& options, const search::StrategySpec& spec) {
  double cap = options.study.seconds;
  if (const auto own = search::thinking_cap(spec)) {
    const double seconds = std::chrono::duration<double>(*own).count();
    cap = cap > 0 ? std::min(cap, seconds) : seconds;
  }
  return cap > 0 || search::limited_by_counts(spec) ? cap : kSeconds;
}

}  // namespace

int think_command(const ThinkOptions& options) {
  const auto parsed = search::parse_strategy(options.strategy);
  if (!parsed) return fail(kWrongUse, "think", parsed.error().text);
  const search::StrategySpec& spec = *parsed;
  const auto machine = spec.options.find("machine");
  ThinkOptions capped = options;
  capped.study.seconds = cap_of(options, spec);
  auto study =
      Study::open("think", capped.study, machine == spec.options.end() ? "auto" : machine->second,
                  search::limited_by_counts(spec) ? Pace::OneAlone : Pace::AtOnce);
  if (!study) return study.error().exit_code;
  const gdl::Rules& rules = (*study)->machine().vocabulary()->rules();
  if (const auto problem = agent::problem_with_knowledge(spec, &rules)) {
    return fail(kWrongUse, "think", *problem);
  }
  return think(capped, spec, **study);
}

}  // namespace ludens::server
