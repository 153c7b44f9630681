// SPDX-License-Identifier: MIT
// Estimates from what a state would be worth as the end.
#pragma once

#include <vector>

#include "gdl/machine/structure.h"
#include "search/factors/condition.h"
#include "search/puzzle/estimate.h"
#include "search/puzzle/guide.h"

namespace ludens::search::puzzle {

/// By the goal that the state would have; 0 where that tells nothing. Too large as a rule.
class GoalEstimate final : public Estimate {
 public:
  explicit GoalEstimate(Guide& guide) : guide_(guide) {}
  using Estimate::moves;
  double moves(gdl::StateView state) override { return guide_.estimate(state); }

 private:
  Guide& guide_;
};

/// The goal-count heuristic: as many moves as conditions of the largest goal are open, of the
/// alternative of which fewest are. Too large where a move brings about several.
class CountEstimate final : public Estimate {
 public:
  explicit CountEstimate(SearchProblem& problem)
      : problem_(problem), wanted_(alternatives(problem.machine())) {}

  /// Whether there are conditions to be counted.
  [[nodiscard]] static bool suits(const gdl::Machine& machine);
  using Estimate::moves;
  double moves(gdl::StateView state) override;

 private:
  static const gdl::Structure::Alternatives* alternatives(const gdl::Machine& machine);

  SearchProblem& problem_;
  const gdl::Structure::Alternatives* wanted_;  // null: unknown
  factors::ConditionReader reader_;
  std::vector<gdl::FluentId> fluents_;
};

}  // namespace ludens::search::puzzle
