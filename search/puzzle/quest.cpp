#include "search/puzzle/quest.h"

#include <utility>

namespace ludens::search::puzzle {

Quest::Quest(std::shared_ptr<const gdl::Machine> machine, gdl::StateView root,
             std::span<const gdl::MoveId> root_moves, int enough, gdl::MemoryBudget* memory,
             gdl::Rng& rng)
    : machine_(std::move(machine)),
      context_(machine_->make_context({.stop = nullptr, .memory = memory})),
      root_(root),
      root_moves_(root_moves.begin(), root_moves.end()),
      enough_(enough),
      rng_(rng) {}

void Quest::offer(int goal, std::span<const gdl::MoveId> line) {
  if (goal <= best_ || line.empty()) return;
  best_ = goal;
  line_.assign(line.begin(), line.end());
  if (tell_) tell_(*this);
}

}  // namespace ludens::search::puzzle
