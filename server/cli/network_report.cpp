#include "server/cli/network_report.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>

#include "gdl/network/build.h"
#include "gdl/network/dot.h"
#include "gdl/network/exclusion.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/simulation.h"
#include "gdl/text/printable.h"
#include "search/strategy/stopping.h"

namespace ludens::server {

namespace {

using Clock = std::chrono::steady_clock;

search::Deadline deadline_in(double seconds) {
  return search::Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(seconds)));
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

NetworkReport::Stage stage(std::string_view name, const gdl::Network& network, double took) {
  return {std::string(name), measure(network), network.fluents.size(), network.moves.size(), took};
}

/// The networks of the stages, from the rules on.
class Pipeline {
 public:
  Pipeline(std::shared_ptr<const gdl::Rules> rules, const NetworkReportOptions& options)
      : options_(options),
        deadline_(deadline_in(options.seconds)),
        vocabulary_(std::make_shared<gdl::Vocabulary>(std::move(rules))) {}

  NetworkReport run() {
    auto begin = Clock::now();
    gdl::GroundingLimits limits;
    limits.limits.stop = &deadline_;
    auto grounded = gdl::ground({vocabulary_, &vocabulary_->rules()}, limits);
    if (const auto* failure = std::get_if<gdl::GroundingFailure>(&grounded)) {
      return refuse(*failure);
    }
    auto& program = std::get<gdl::GroundProgram>(grounded);
    const double ground_ms = milliseconds_since(begin);
    begin = Clock::now();
    auto built = gdl::build_network(program, *vocabulary_, limits);
    report_.stages.push_back({"ground", {program.ground_rules, 0, 0}, 0, 0, ground_ms});
    if (const auto* failure = std::get_if<gdl::GroundingFailure>(&built)) return refuse(*failure);
    auto& network = std::get<gdl::Network>(built);
    report_.stages.push_back(stage("build", network, milliseconds_since(begin)));
    finish(improve(std::move(network)));
    return std::move(report_);
  }

 private:
  NetworkReport refuse(const gdl::GroundingFailure& failure) {
    report_.refused = failure.kind == gdl::GroundingFailure::Kind::Stopped
                          ? "not ready in time; try --seconds"
                          : failure.text;
    return std::move(report_);
  }

  gdl::Network improve(gdl::Network network) {
    gdl::PassOptions passes;
    passes.stop = &deadline_;
    passes.skipped.insert(options_.skip.begin(), options_.skip.end());
    passes.report = [this](const gdl::PassReport& r) {
      report_.stages.push_back({std::string(r.name), r.after, r.fluents, r.moves, r.milliseconds});
    };
    if (options_.verify) {
      report_.verified = true;
      passes.inspect = [this](std::string_view pass, const gdl::Network& before,
                              const gdl::Network& after) {
        constexpr std::uint32_t kSteps = 100;
        gdl::Rng rng(1);
        const auto difference = find_difference(before, after, kSteps, rng);
        if (difference) report_.differences.push_back(std::string(pass) + ": " + *difference);
      };
    }
    network = optimise(std::move(network), gdl::PassStage::First, passes);
    const auto begin = Clock::now();
    exclusions_ = passes.exclusions = gdl::find_exclusions(network, *vocabulary_, &deadline_);
    report_.stages.push_back(stage("(exclusion proof)", network, milliseconds_since(begin)));
    return optimise(std::move(network), gdl::PassStage::Later, passes);
  }

  void finish(const gdl::Network& network) {
    report_.vocabulary = vocabulary_;
    report_.structure = find_structure(network, *vocabulary_, &deadline_, exclusions_);
    if (options_.dot) report_.dot = to_dot(network, *vocabulary_);
  }

  const NetworkReportOptions& options_;
  const search::Deadline deadline_;
  const std::shared_ptr<gdl::Vocabulary> vocabulary_;
  std::optional<std::vector<gdl::Structure::Exclusion>> exclusions_;
  NetworkReport report_;
};

/// Parts of the game that moves act on; clocks tick by themselves.
std::size_t played_factors(const gdl::Structure& structure) {
  return static_cast<std::size_t>(std::ranges::count_if(
      structure.factors, [](const auto& factor) { return !factor.moves.empty(); }));
}

/// Fluents that stand in a group in which one holds at most.
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
  return Pipeline(std::move(rules), options).run();
}

boost::json::object to_json(const NetworkReport& report) {
  if (!report.refused.empty()) return {{"refused", report.refused}};
  boost::json::array stages, factors, differences;
  std::size_t ground_rules = 0;
  for (const auto& s : report.stages) {
    const double ms = std::round(s.milliseconds * 100) / 100;
    if (s.pass == "ground") {
      ground_rules = s.size.gates;
      stages.push_back({{"pass", s.pass}, {"ms", ms}, {"ground_rules", ground_rules}});
      continue;
    }
    stages.push_back({{"pass", s.pass},
                      {"ms", ms},
                      {"gates", s.size.gates},
                      {"two_input_gates", s.size.two_input},
                      {"depth", s.size.depth},
                      {"fluents", s.fluents},
                      {"moves", s.moves}});
  }
  for (const auto& f : report.structure.factors) {
    factors.push_back({{"fluents", f.fluents.size()}, {"moves", f.moves.size()}});
  }
  boost::json::object out{{"stages", std::move(stages)},
                          {"factors", std::move(factors)},
                          {"structure", to_json(report.structure, *report.vocabulary)}};
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
    if (s.pass == "ground") {
      std::printf("  %-18s %9.2f %9zu ground rules\n", "ground", s.milliseconds, s.size.gates);
      continue;
    }
    std::printf("  %-18s %9.2f %9zu %9zu %6zu %8zu %8zu\n", s.pass.c_str(), s.milliseconds,
                s.size.gates, s.size.two_input, s.size.depth, s.fluents, s.moves);
  }
  const std::size_t factors = played_factors(report.structure);
  const std::size_t clocks = report.structure.factors.size() - factors;
  std::printf("  %zu independent part%s that moves act on", factors, factors == 1 ? "" : "s");
  if (clocks != 0) std::printf(", and %zu that change%s alone", clocks, clocks == 1 ? "s" : "");
  std::printf("\n");
  print_text(report.structure, *report.vocabulary);
  if (report.verified && report.differences.empty()) {
    std::printf("  every pass left unchanged what the network says\n");
  }
  for (const std::string& d : report.differences) {
    std::printf("  differs after %s\n", gdl::printable(d).c_str());
  }
}

}  // namespace ludens::server
