// SPDX-License-Identifier: MIT
#include "search/induction/solved_game.h"

#include <cstdio>

#include "search/strategy/half_of_memory.h"

namespace ludens::search {

SolvedGame::Solved::Solved(const Position& position, const Deadline& end, gdl::MemoryBudget* memory,
                           BackwardInduction::Choices choices)
    : machine(position.machine),
      role(position.role),
      deadline(end),
      induction(machine, role, deadline, memory, choices) {}

SolvedGame::SolvedGame(BackwardInduction::Choices choices, std::uint64_t most_states,
                       const Resources& resources)
    : choices_(choices), most_states_(most_states), memory_(half_of(resources.memory)) {}

std::optional<BackwardInduction::Index> SolvedGame::find(
    const Position& position, const Deadline& deadline,
    const BackwardInduction::Patience& patience) {
  failure_.clear();
  if (solved_ && solved_->machine == position.machine && solved_->role == position.role) {
    if (const auto known = solved_->induction.find(position.state)) return known;
  }
  solved_.reset();
  BackwardInduction& induction = solved_.emplace(position, deadline, &memory_, choices_).induction;
  if (most_states_ > 0) {
    induction.cap_states(static_cast<BackwardInduction::Index>(most_states_));
  }
  induction.set_patience(patience);
  induction.need_all();
  const auto outcome = induction.solve(position.state);
  if (outcome == BackwardInduction::Outcome::Complete) return 0;
  char text[96];
  std::snprintf(
      text, sizeof text, "%zu states and more: %s", induction.size(),
      outcome == BackwardInduction::Outcome::Stopped ? "no time" : "no memory, or too many");
  failure_ = text;
  solved_.reset();
  return std::nullopt;
}

}  // namespace ludens::search
