// SPDX-License-Identifier: MIT
#include "search/puzzle/part_search.h"

#include <algorithm>

namespace ludens::search::puzzle {

PartSearch::PartSearch(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory)
    : problem_(problem),
      guide_(guide),
      memory_(memory),
      bound_(problem.machine(), problem.root(), memory),
      estimate_(problem, bound_) {}

Ended PartSearch::run() {
  if (!explored_) {
    const auto status = bound_.explore(problem_.context(), problem_.states);
    if (status == gdl::Status::Stopped) return Ended::Stopped;
    explored_ = true;
  }
  if (!bound_.tells()) return Ended::Limited;
  while (!problem_.solved()) {
    if (problem_.highest() <= 0)
      return Ended::Limited;  // any end is enough, and other searches
                              // find it
    const Ended ended = look_for(problem_.highest());
    if (ended != Ended::Exhausted) return ended;
    search_.reset();
    problem_.rule_out(problem_.highest());
  }
  return problem_.best() >= problem_.highest() ? Ended::Exhausted : Ended::Solved;
}

/// Exhausted: there is no play with this goal.
Ended PartSearch::look_for(int goal) {
  if (!bound_.aim(goal, problem_.context().limits.stop)) return Ended::Stopped;
  if (!search_) {
    if (estimate_.moves(problem_.root()) == Estimate::kNever) return Ended::Exhausted;
    search_.emplace(problem_, guide_, memory_, BestFirstSettings{1, false}, estimate_);
  }
  return search_->run();
}

}  // namespace ludens::search::puzzle
