// SPDX-License-Identifier: MIT
#include "search/analysis/game_analysis.h"

#include <algorithm>
#include <cmath>

#include "search/analysis/exploration.h"
#include "search/analysis/sampling.h"

namespace ludens::search {

namespace {

/// The mean of numbers of which only the logarithms are representable: log10(mean(10^x)).
double log_of_mean(const std::vector<double>& logs) {
  if (logs.empty()) return 0;
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (const double x : logs) sum += std::pow(10, x - largest);
  return largest + std::log10(sum / static_cast<double>(logs.size()));
}

void take_counts(const Sampler& sampler, double seconds, const gdl::GoalScale& goals,
                 GameAnalysis& out) {
  out.playouts = sampler.finished;
  out.cut = sampler.cut;
  out.steps = sampler.steps;
  out.longest = sampler.longest;
  out.tree_magnitude = log_of_mean(sampler.magnitudes);
  if (seconds > 0) out.steps_per_second = static_cast<double>(sampler.steps) / seconds;
  if (sampler.steps > 0) {
    out.mean_branching = sampler.branching_sum / static_cast<double>(sampler.steps);
  }
  if (sampler.finished == 0) return;
  const auto finished = static_cast<double>(sampler.finished);
  out.mean_length = static_cast<double>(sampler.finished_steps) / finished;
  for (const std::uint64_t sum : sampler.goal_sums) {
    out.mean_goals.push_back(goals.shown(static_cast<double>(sum) / finished));
  }
}

/// Something happens: proved if it was seen, or if all was seen.
Fact happens(bool seen, bool all_seen) {
  return {seen, seen || all_seen};
}

/// Something never happens.
Fact never(bool seen, bool all_seen) {
  return {!seen, seen || all_seen};
}

void take_facts(const Findings& findings, GameAnalysis& out) {
  const bool all = out.explored();
  out.single_player = {out.players == 1, true};
  out.chance = happens(findings.chance, all || !out.random);
  out.turn_taking = never(findings.several_choose, all || out.players == 1);
  out.fixed_sum = never(findings.sums_differ, all);
  // Nothing is known about the goals of a game that was never seen to end.
  if (!findings.ended) out.fixed_sum = {false, all};
  out.states_recur = happens(findings.recurred, all);
  for (const bool fell : findings.goal_fell) out.monotone_goals.push_back(never(fell, all));
}

}  // namespace

GameAnalysis analyse(const gdl::Machine& machine, gdl::Machine::Context& context,
                     gdl::StateView from, const AnalysisBudget& budget, const Deadline& deadline,
                     gdl::Rng& rng) {
  GameAnalysis result;
  result.roles = machine.role_count();
  result.random = machine.random_role();
  result.players = result.roles - (result.random ? 1 : 0);
  Findings findings(result.roles, result.random);

  const Deadline half = deadline.share(0.5);
  context.limits.stop = &half;
  const auto begin = std::chrono::steady_clock::now();
  Sampler sampler(machine, context, rng, findings);
  gdl::Status status = gdl::Status::Ok;
  for (std::uint64_t i = 0; i < budget.playouts && status == gdl::Status::Ok; ++i) {
    status = half.stop_requested() ? gdl::Status::Stopped : sampler.play(from, budget.step_cap);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  take_counts(sampler, taken.count(), machine.vocabulary()->rules().goals, result);

  context.limits.stop = &deadline;
  if (budget.states > 0 && status != gdl::Status::OverBudget && !deadline.stop_requested()) {
    if (const auto visit = explore(machine, context, from, budget.states, findings)) {
      result.states = visit->states;
      result.depth = visit->depth;
    }
  }
  context.limits.stop = nullptr;
  take_facts(findings, result);
  return result;
}

}  // namespace ludens::search
