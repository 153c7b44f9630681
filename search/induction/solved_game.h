// SPDX-License-Identifier: MIT
// The values of all states of a game, kept while a match stays among them.
#pragma once

#include <optional>
#include <string>

#include "search/induction/backward.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// May use half of the memory. For one thread.
class SolvedGame {
 public:
  /// `most_states`: a game with more counts as too large; 0: none does.
  SolvedGame(BackwardInduction::Choices choices, std::uint64_t most_states,
             const Resources& resources);

  /// The position among the states, which are found first if it is not known yet; nullopt if there
  /// is not enough time or memory.
  std::optional<BackwardInduction::Index> find(const Position& position, const Deadline& deadline,
                                               const BackwardInduction::Patience& patience = {});
  /// After a position was found.
  [[nodiscard]] const BackwardInduction& induction() const { return solved_->induction; }
  /// Why a position was not found.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  struct Solved {
    std::shared_ptr<const gdl::Machine> machine;
    gdl::RoleIndex role;
    Deadline deadline;
    BackwardInduction induction;

    Solved(const Position& position, const Deadline& end, gdl::MemoryBudget* memory,
           BackwardInduction::Choices choices);
  };

  BackwardInduction::Choices choices_;
  std::uint64_t most_states_;
  gdl::MemoryBudget memory_;
  std::optional<Solved> solved_;
  std::string failure_;
};

}  // namespace ludens::search
