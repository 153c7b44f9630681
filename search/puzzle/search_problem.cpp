// SPDX-License-Identifier: MIT
#include "search/puzzle/search_problem.h"

#include <utility>

namespace ludens::search::puzzle {

namespace {

/// The largest goal below `above` in the machine's structure; 0 if there is none.
int largest_goal(const gdl::Machine& machine, int above) {
  const auto& goals = machine.structure().goals;
  if (goals.empty() || goals[0].empty()) return std::min(100, above - 1);
  int largest = 0;
  for (const auto& goal : goals[0]) {
    if (goal.value < above) largest = std::max(largest, goal.value);
  }
  return largest;
}

}  // namespace

SearchProblem::SearchProblem(std::shared_ptr<const gdl::Machine> machine, gdl::StateView root,
                             std::span<const gdl::MoveId> root_moves, int enough,
                             gdl::MemoryBudget* memory, gdl::Rng& rng)
    : machine_(std::move(machine)),
      context_(machine_->make_context({.stop = nullptr, .memory = memory})),
      root_(root),
      root_moves_(root_moves.begin(), root_moves.end()),
      enough_(enough),
      highest_(largest_goal(*machine_, 101)),
      rng_(rng) {}

void SearchProblem::offer(int goal, std::span<const gdl::MoveId> line) {
  if (goal < best_ || line.empty()) return;
  const auto place = [&](gdl::MoveId move) { return std::ranges::find(root_moves_, move); };
  if (goal == best_ && place(line.front()) >= place(line_.front())) return;
  best_ = goal;
  line_.assign(line.begin(), line.end());
  if (tell_) tell_(*this);
}

void SearchProblem::rule_out(int goal) {
  highest_ = std::min(highest_, largest_goal(*machine_, goal));
}

}  // namespace ludens::search::puzzle
