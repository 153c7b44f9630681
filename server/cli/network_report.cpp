// SPDX-License-Identifier: MIT
#include "server/cli/network_report.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>

#include "gdl/network/dot.h"
#include "gdl/network/simulation.h"
#include "gdl/text/printable.h"
#include "search/strategy/stopping.h"

namespace ludens::server {

namespace {

/// Compares the network before and after each pass.
auto verification(std::vector<std::string>& differences) {
  return
      [&differences](std::string_view pass, const gdl::Network& before, const gdl::Network& after) {
        constexpr std::uint32_t kCheckedSteps = 100;
        gdl::Rng rng(1);
        const auto difference = find_difference(before, after, kCheckedSteps, rng);
        if (difference) differences.push_back(std::string(pass) + ": " + *difference);
      };
}

/// Parts of the game that moves act on; clocks tick by themselves.
std::size_t played_factors(const gdl::Structure& structure) {
  return static_cast<std::size_t>(std::ranges::count_if(
      structure.factors, [](const auto& factor) { return !factor.moves.empty(); }));
}

/// The number of fluents in groups in which at most one fluent holds.
std::size_t excluding_fluents(const gdl::Structure& structure) {
  std::set<gdl::FluentId> fluents;
  for (const auto& e : structure.exclusions) fluents.insert(e.fluents.begin(), e.fluents.end());
  return fluents.size();
}

boost::json::object to_json(const gdl::Structure& structure, const gdl::Vocabulary& vocabulary) {
  boost::json::array exclusions, control, goals;
  for (const auto& e : structure.exclusions) {
    exclusions.push_back({{"fluents", e.fluents.size()}, {"always_one", e.always_one}});
  }
  for (const auto& fluent : structure.control) {
    control.push_back(fluent ? boost::json::value(vocabulary.fluent_name(*fluent)) : nullptr);
  }
  for (const auto& role : structure.goals) {
    boost::json::array values;
    for (const auto& g : role) {
      values.push_back({{"value", g.value}, {"fluents", g.fluents.size()}});
    }
    goals.push_back(std::move(values));
  }
  std::uint32_t latest = 0;
  for (const auto& r : structure.reachable) latest = std::max(latest, r.step);
  return {{"exclusions", std::move(exclusions)},
          {"control", std::move(control)},
          {"goals", std::move(goals)},
          {"reachable", structure.reachable.size()},
          {"latest_first_step", latest}};
}

void print_text(const gdl::Structure& structure, const gdl::Vocabulary& vocabulary) {
  const auto always = std::ranges::count_if(structure.exclusions,
                                            [](const auto& group) { return group.always_one; });
  std::printf(
      "  %zu group%s of fluents of which at most one holds (%zu fluents), in %td always one\n",
      structure.exclusions.size(), structure.exclusions.size() == 1 ? "" : "s",
      excluding_fluents(structure), always);
  for (std::size_t r = 0; r < structure.control.size(); ++r) {
    if (!structure.control[r]) continue;
    std::printf("  role %zu is in control where %s\n", r + 1,
                gdl::printable(vocabulary.fluent_name(*structure.control[r])).c_str());
  }
  std::uint32_t latest = 0;
  for (const auto& e : structure.reachable) latest = std::max(latest, e.step);
  std::printf("  %zu fluents may ever hold, the last of them not before step %u\n",
              structure.reachable.size(), latest);
}

}  // namespace

NetworkReport report_network(std::shared_ptr<const gdl::Rules> rules,
                             const NetworkReportOptions& options) {
  NetworkReport report;
  report.vocabulary = std::make_shared<gdl::Vocabulary>(std::move(rules));
  const search::Deadline deadline = search::Deadline::in(options.seconds, options.stop);
  gdl::PipelineOptions pipeline;
  pipeline.grounding.limits.stop = &deadline;
  pipeline.unfinished = true;
  pipeline.skipped_passes.insert(options.skip.begin(), options.skip.end());
  pipeline.report = [&](const gdl::StageReport& stage) { report.stages.push_back(stage); };
  report.verified = options.verify;
  if (options.verify) pipeline.inspect = verification(report.differences);
  const auto made = gdl::make_network(report.vocabulary, pipeline);
  if (!made) {
    const bool stopped = made.error().kind == gdl::GroundingFailure::Kind::Stopped;
    report.refused = stopped ? "not ready in time; try --seconds" : made.error().text;
    return report;
  }
  const gdl::GameNetwork& game = **made;
  report.structure = game.structure;
  if (options.dot) report.dot = to_dot(game.network, *report.vocabulary);
  return report;
}

boost::json::object to_json(const NetworkReport& report) {
  if (!report.refused.empty()) return {{"refused", report.refused}};
  boost::json::array stages, factors, differences;
  std::uint64_t ground_rules = 0;
  for (const auto& s : report.stages) {
    const double ms = std::round(s.milliseconds * 100) / 100;
    if (s.name == "ground") {
      ground_rules = s.ground_rules;
      stages.push_back({{"pass", s.name}, {"ms", ms}, {"ground_rules", ground_rules}});
      continue;
    }
    stages.push_back({{"pass", s.name},
                      {"ms", ms},
                      {"gates", s.size.gates},
                      {"two_input_gates", s.size.two_input},
                      {"depth", s.size.depth},
                      {"fluents", s.fluents},
                      {"moves", s.moves}});
  }
  for (const auto& f : report.structure->factors) {
    factors.push_back({{"fluents", f.fluents.size()}, {"moves", f.moves.size()}});
  }
  boost::json::object out{{"stages", std::move(stages)},
                          {"factors", std::move(factors)},
                          {"structure", to_json(*report.structure, *report.vocabulary)}};
  if (report.verified) {
    for (const std::string& d : report.differences) differences.emplace_back(d);
    out["differences"] = std::move(differences);
  }
  return out;
}

void print_text(const NetworkReport& report) {
  std::printf("network\n");
  if (!report.refused.empty()) {
    std::printf("  none: %s\n", report.refused.c_str());
    return;
  }
  std::printf("  %-18s %9s %9s %9s %6s %8s %8s\n", "", "ms", "gates", "2-input", "depth", "fluents",
              "moves");
  for (const auto& s : report.stages) {
    if (s.name == "ground") {
      std::printf("  %-18s %9.2f %9llu ground rules\n", "ground", s.milliseconds,
                  static_cast<unsigned long long>(s.ground_rules));
      continue;
    }
    std::printf("  %-18.*s %9.2f %9zu %9zu %6zu %8zu %8zu\n", static_cast<int>(s.name.size()),
                s.name.data(), s.milliseconds, s.size.gates, s.size.two_input, s.size.depth,
                s.fluents, s.moves);
  }
  const std::size_t factors = played_factors(*report.structure);
  const std::size_t clocks = report.structure->factors.size() - factors;
  std::printf("  %zu independent part%s that moves act on", factors, factors == 1 ? "" : "s");
  if (clocks != 0) std::printf(", and %zu that change%s alone", clocks, clocks == 1 ? "s" : "");
  std::printf("\n");
  print_text(*report.structure, *report.vocabulary);
  if (report.verified && report.differences.empty()) {
    std::printf("  no pass changed what the network computes\n");
  }
  for (const std::string& d : report.differences) {
    std::printf("  differs after %s\n", gdl::printable(d).c_str());
  }
}

}  // namespace ludens::server
