#include "search/puzzle/part_search.h"

#include <algorithm>

namespace ludens::search::puzzle {

PartSearch::PartSearch(Quest& quest, Guide& guide, gdl::MemoryBudget* memory)
    : quest_(quest),
      guide_(guide),
      memory_(memory),
      bound_(quest.machine(), quest.root(), memory),
      estimate_(quest, bound_) {}

Ended PartSearch::run() {
  if (!explored_) {
    const auto status = bound_.explore(quest_.context(), quest_.states);
    if (status == gdl::Status::Stopped) return Ended::Stopped;
    explored_ = true;
  }
  if (!bound_.tells()) return Ended::Limited;
  while (!quest_.solved()) {
    if (quest_.highest() <= 0) return Ended::Limited;  // any end will do, and others find it
    const Ended ended = look_for(quest_.highest());
    if (ended != Ended::Exhausted) return ended;
    search_.reset();
    quest_.rule_out(quest_.highest());
  }
  return quest_.best() >= quest_.highest() ? Ended::Exhausted : Ended::Solved;
}

/// Exhausted: there is no play with this goal.
Ended PartSearch::look_for(int goal) {
  if (!bound_.aim(goal, quest_.context().limits.stop)) return Ended::Stopped;
  if (!search_) {
    if (estimate_.moves(quest_.root()) == Estimate::kNever) return Ended::Exhausted;
    search_.emplace(quest_, guide_, memory_, BestFirstSettings{1, false}, estimate_);
  }
  return search_->run();
}

}  // namespace ludens::search::puzzle
