// SPDX-License-Identifier: MIT
// Searches a game of independent parts part by part, and combines the results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/factors/step_bound.h"
#include "search/puzzle/best_first.h"
#include "search/puzzle/estimate.h"

namespace ludens::search::puzzle {

/// Explores each part of the game separately, then searches for a play of the whole game by A*,
/// with what the parts need as the estimate: for the best goal first, and if that is proved to be
/// unreachable, for the next. As the estimate is never too large, what it rules out is proved.
class PartSearch {
 public:
  /// All arguments must outlive it; `memory` null: no limit.
  PartSearch(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory);

  /// The number of parts with moves, if separating them from each other and from clocks helps; 0:
  /// there is nothing to gain.
  [[nodiscard]] static std::size_t moved_parts(const gdl::Machine& machine) {
    return factors::StepBound::moved_parts(machine);
  }
  Ended run();

 private:
  class Bound final : public Estimate {
   public:
    Bound(SearchProblem& problem, factors::StepBound& bound) : problem_(problem), bound_(bound) {}
    using Estimate::moves;
    double moves(gdl::StateView state) override {
      const std::uint32_t steps = bound_.steps(problem_.context(), state);
      return steps == factors::StepBound::kNever ? kNever : steps;
    }

   private:
    SearchProblem& problem_;
    factors::StepBound& bound_;
  };
  Ended look_for(int goal);

  SearchProblem& problem_;
  Guide& guide_;
  gdl::MemoryBudget* memory_;
  factors::StepBound bound_;
  Bound estimate_;
  bool explored_ = false;
  std::optional<BestFirst> search_;  // for the largest goal that is not ruled out
};

}  // namespace ludens::search::puzzle
