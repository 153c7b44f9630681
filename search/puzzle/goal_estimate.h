// SPDX-License-Identifier: MIT
// Estimates from the goal that a state would have as the end.
#pragma once

#include <vector>

#include "gdl/machine/structure.h"
#include "search/factors/condition.h"
#include "search/puzzle/estimate.h"
#include "search/puzzle/guide.h"

namespace ludens::search::puzzle {

/// Estimates by the goal that the state would have; 0 if that is not informative. Usually too
/// large.
class GoalEstimate final : public Estimate {
 public:
  explicit GoalEstimate(Guide& guide) : guide_(guide) {}
  using Estimate::moves;
  double moves(gdl::StateView state) override { return guide_.estimate(state); }

 private:
  Guide& guide_;
};

/// The goal-count heuristic: the number of open conditions of the largest goal, for the alternative
/// with the fewest. Too large if one move fulfils several.
class CountEstimate final : public Estimate {
 public:
  explicit CountEstimate(SearchProblem& problem)
      : problem_(problem), wanted_(alternatives(problem.machine())) {}

  /// Whether there are conditions to count.
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
