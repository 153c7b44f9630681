// SPDX-License-Identifier: MIT
#include "tests/fuzz/machines/machines_comparison.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <sstream>
#include <vector>

#include "gdl/check/check.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "gdl/network/simulation.h"
#include "gdl/rules/read.h"
#include "tests/fuzz/machines/random_rulesheet.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::gdl::tests {

namespace {

/// A rulesheet that takes longer is left alone: there are many more.
class Deadline final : public StopSignal {
 public:
  explicit Deadline(std::chrono::milliseconds patience) : end_(Clock::now() + patience) {}
  [[nodiscard]] bool stop_requested() const noexcept override { return Clock::now() > end_; }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end_;
};

std::shared_ptr<const Rules> read(const std::string& text, std::string& problem) {
  const NormalisedRules result = read_rules(text).normalised;
  for (const Diagnostic& d : check(result)) {
    if (d.severity == Severity::Error) problem = "the rulesheet has an error: " + d.text;
  }
  return result.rules;
}

struct Machines {
  std::shared_ptr<const Machine> interpreter;
  NetworkMachines network;
};

Machines build(const std::shared_ptr<const Rules>& rules, std::uint64_t seed,
               const FuzzEffort& effort, FuzzResult& result) {
  const auto vocabulary = std::make_shared<Vocabulary>(rules);
  Machines machines{make_interpreter(vocabulary), {}};
  PipelineOptions pipeline;
  pipeline.inspect = [&](std::string_view pass, const Network& before, const Network& after) {
    Rng rng(seed);
    const auto difference = find_difference(before, after, effort.step_cap, rng);
    if (difference) result.problem = "pass " + std::string(pass) + ": " + *difference;
  };
  machines.network = network_machines(vocabulary, pipeline);
  result.refused = machines.network.refused;
  return machines;
}

bool is_lively(const std::shared_ptr<const Rules>& rules) {
  NetworkMachineOptions options;
  options.lanes = 64;
  const auto made = make_network_machine(std::make_shared<Vocabulary>(rules), options);
  if (!made) return false;
  const Machine& machine = **made;
  if (machine.gates() < 12) return false;
  const auto context = machine.make_context();
  State state;
  std::vector<MoveId> legal;
  std::size_t ways = 1;
  if (machine.initial(*context, state) != Status::Ok) return false;
  for (RoleIndex r = 0; r < machine.role_count(); ++r) {
    if (machine.legal(*context, state, r, legal) != Status::Ok) return false;
    ways *= legal.size();
  }
  PlayoutSums sums;
  Rng rng(1);
  const StateView start = state;
  if (machine.playouts(*context, {&start, 1}, {64, FuzzEffort{}.step_cap}, rng, sums) !=
      Status::Ok) {
    return false;
  }
  return ways > 1 && sums.steps >= 64 * 3;
}

/// Mean of a role's goals and the variance of that mean.
struct Sample {
  double mean = 0, variance = 0;
};

std::vector<Sample> sample(const Machine& machine, std::uint32_t playouts, std::uint64_t seed) {
  const auto context = machine.make_context();
  State initial;
  PlayoutSums sums;
  Rng rng(seed);
  std::vector<Sample> samples(machine.role_count());
  if (machine.initial(*context, initial) != Status::Ok) return samples;
  const std::vector<StateView> starts(playouts, initial);
  if (machine.playouts(*context, starts, {1, FuzzEffort{}.step_cap}, rng, sums) != Status::Ok)
    return samples;
  for (std::size_t r = 0; r < samples.size(); ++r) {
    double sum = 0, squares = 0;
    for (std::uint32_t p = 0; p < playouts; ++p) {
      const auto goal = static_cast<double>(sums.goals[p * samples.size() + r]);
      sum += goal;
      squares += goal * goal;
    }
    samples[r].mean = sum / playouts;
    samples[r].variance = (squares / playouts - samples[r].mean * samples[r].mean) / playouts;
  }
  return samples;
}

std::string compare_means(const Machines& machines, std::uint64_t seed) {
  constexpr std::uint32_t kFew = 400, kMany = 4'000;
  const auto expected = sample(*machines.interpreter, kFew, seed);
  for (const Machine* machine : machines.network.all) {
    if (machine->preferred_batch() == 1) continue;
    const auto given = sample(*machine, kMany, seed + 1);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      // Rare goals have no normal distribution: six of a few hundred are no surprise.
      const double allowed = 6 * std::sqrt(expected[r].variance + given[r].variance) + 600.0 / kFew;
      if (std::abs(expected[r].mean - given[r].mean) <= allowed) continue;
      std::ostringstream text;
      text << machine->name() << " " << machine->preferred_batch() << ": mean goal of role " << r
           << " is " << given[r].mean << ", not " << expected[r].mean;
      return text.str();
    }
  }
  return "";
}

}  // namespace

FuzzResult compare_all_machines(const std::string& text, std::uint64_t seed,
                                const FuzzEffort& effort) {
  FuzzResult result;
  const auto rules = read(text, result.problem);
  if (!result.problem.empty()) return result;
  const Machines machines = build(rules, seed, effort, result);
  if (!result.problem.empty() || machines.network.all.empty()) return result;
  const Deadline deadline(effort.patience);
  Rng rng(seed);
  const Agreement agreement = compare_machines(*machines.interpreter, machines.network.all,
                                               {.playouts = effort.playouts,
                                                .step_cap = effort.step_cap,
                                                .pairs_per_state = 4,
                                                .stop = &deadline},
                                               rng);
  result.states = agreement.states;
  if (deadline.stop_requested()) {
    result.refused = "takes too long";
  } else if (!agreement.differences.empty()) {
    result.problem = agreement.differences.front();
  } else if (effort.means) {
    result.problem = compare_means(machines, seed);
  }
  return result;
}

std::string lively_rulesheet(std::uint64_t seed) {
  constexpr std::uint64_t kTries = 64;
  std::string text;
  for (std::uint64_t k = 0; k < kTries; ++k) {
    text = random_rulesheet(seed * kTries + k);
    std::string problem;
    const auto rules = read(text, problem);
    if (!problem.empty() || is_lively(rules)) break;
  }
  return text;
}

std::string shrink(std::string text, std::uint64_t seed) {
  const auto fails = [&](const std::string& t) {
    const std::string problem = compare_all_machines(t, seed).problem;
    return !problem.empty() && problem.rfind("the rulesheet", 0) != 0;
  };
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t at = 0; at < text.size();) {  // a form a line
      const std::size_t end = text.find('\n', at) + 1;
      std::string without = text.substr(0, at) + text.substr(end);
      if (fails(without)) {
        text = std::move(without);
        shorter = true;
      } else {
        at = end;
      }
    }
  }
  return text;
}

}  // namespace ludens::gdl::tests
