#include "server/cli/think_command.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "gdl/text/printable.h"
#include "search/strategy/registry.h"
#include "server/cli/command_line.h"
#include "server/cli/trace_text.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

/// Long enough for a decent answer where neither option nor strategy says how long.
constexpr double kSeconds = 5;

int fail(int code, const std::string& text) {
  std::cerr << "ludens: think: " << text << "\n";
  return code;
}

/// The joint moves of a principal variation, by name.
std::vector<std::string> line_of(const search::Choice& choice, const Study& study) {
  std::vector<std::string> line;
  const std::size_t roles = study.machine().role_count();
  for (std::size_t i = 0; i + roles <= choice.variation.size(); i += roles) {
    line.push_back(study.joint_move_name(std::span(choice.variation).subspan(i, roles)));
  }
  return line;
}

void print_json(const search::Choice& choice, const Study& study, double seconds) {
  json::array root, pv;
  for (const search::RootMove& move : choice.root) {
    root.push_back(json::object{{"move", study.move_name(move.move)},
                                {"value", move.value},
                                {"visits", move.visits},
                                {"low", move.low},
                                {"high", move.high}});
  }
  for (const std::string& move : line_of(choice, study)) pv.emplace_back(move);
  const json::object out{{"role", study.role_name()},       {"move", study.move_name(choice.move)},
                         {"value", choice.value},           {"exact", choice.exact},
                         {"iterations", choice.iterations}, {"nodes", choice.nodes},
                         {"depth", choice.depth},           {"seconds", seconds},
                         {"root", std::move(root)},         {"pv", std::move(pv)}};
  std::cout << json::serialize(out) << std::endl;
}

void print_text(const search::Choice& choice, const Study& study, double seconds) {
  const auto name = [&](gdl::MoveId move) { return gdl::printable(study.move_name(move)); };
  std::printf("%s plays %s, worth %.4g (%s)\n", gdl::printable(study.role_name()).c_str(),
              name(choice.move).c_str(), choice.value, choice.exact ? "exact" : "estimated");
  std::printf("%llu states, %llu iterations, depth %u, %.3f s\n\n",
              static_cast<unsigned long long>(choice.nodes),
              static_cast<unsigned long long>(choice.iterations), choice.depth, seconds);
  std::size_t width = 4;
  for (const auto& move : choice.root) width = std::max(width, name(move.move).size());
  const auto columns = static_cast<int>(width);
  if (!choice.root.empty()) {
    std::printf("%-*s  %7s %10s  %s\n", columns, "move", "value", "visits", "proved");
  }
  for (const search::RootMove& move : choice.root) {
    std::printf("%-*s  %7.2f %10llu  %.4g..%.4g\n", columns, name(move.move).c_str(), move.value,
                static_cast<unsigned long long>(move.visits), move.low, move.high);
  }
  const std::vector<std::string> line = line_of(choice, study);
  if (!line.empty()) std::printf("\nprincipal variation:");
  for (const std::string& move : line) std::printf(" %s", gdl::printable(move).c_str());
  if (!line.empty()) std::printf("\n");
  std::fflush(stdout);
}

int think(const ThinkOptions& options, const search::StrategySpec& spec, Study& study) {
  search::SearchTrace trace;
  unsigned threads = 1;
  if (const auto given = spec.options.find("threads"); given != spec.options.end()) {
    threads = static_cast<unsigned>(std::stoul(given->second));
  }
  const search::Resources resources{threads, &study.memory(), options.trace ? &trace : nullptr};
  auto made = search::make_strategy(spec, resources);
  if (const auto* problem = std::get_if<std::string>(&made)) return fail(kWrongUse, *problem);
  auto& strategy = *std::get<std::unique_ptr<search::Strategy>>(made);

  double cap = options.study.seconds;
  if (const auto own = search::thinking_cap(spec)) {
    const double seconds = std::chrono::duration<double>(*own).count();
    cap = cap > 0 ? std::min(cap, seconds) : seconds;
  }
  search::Incumbent incumbent;
  const auto start = std::chrono::steady_clock::now();
  strategy.think(study.position(), study.deadline(cap > 0 ? cap : kSeconds), incumbent);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto choice = incumbent.get();
  if (!choice) return fail(kCouldNot, "no move was found in the time given");
  if (const std::string text = strategy.explanation(); !text.empty()) {
    std::cerr << "ludens: think: " << text << "\n";
  }
  if (options.trace && !options.study.json) {
    if (trace.nodes().empty()) {
      std::cerr << "ludens: think: " << spec.name << " has no tree to show\n";
    }
    print_trace(trace, study, std::cout);
    std::cout << std::endl;
  }
  options.study.json ? print_json(*choice, study, seconds) : print_text(*choice, study, seconds);
  return kGood;
}

}  // namespace

int think_command(const ThinkOptions& options) {
  const auto parsed = search::parse_strategy(options.strategy);
  if (const auto* problem = std::get_if<std::string>(&parsed)) return fail(kWrongUse, *problem);
  const auto& spec = std::get<search::StrategySpec>(parsed);
  const auto machine = spec.options.find("machine");
  auto study =
      Study::open("think", options.study, machine == spec.options.end() ? "auto" : machine->second);
  if (const int* code = std::get_if<int>(&study)) return *code;
  return think(options, spec, *std::get<std::unique_ptr<Study>>(study));
}

}  // namespace ludens::server
