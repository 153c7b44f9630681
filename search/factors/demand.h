// SPDX-License-Identifier: MIT
// How many moves a part alone needs until a condition holds.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/factors/part.h"

namespace ludens::search::factors {

/// For each state of a part, the fewest own moves with which it is in a wanted state after a number
/// of steps of the whole game, or after any number. For one thread.
class Demand {
 public:
  using Moves = std::uint16_t;
  static constexpr Moves kNever = 0xffff;

  /// `wanted`: [state]. `steps`: the most steps that will be queried; 0: only any number. Memory is
  /// taken from `memory` (null: no limit), which must outlive it. If a table by steps is too large,
  /// there is only one for any number.
  Demand(const Part& part, std::vector<bool> wanted, std::uint32_t steps,
         gdl::MemoryBudget* memory);

  /// Fills the table. False: stopped; if called again, it continues.
  bool work_out(const gdl::StopSignal* stop);

  [[nodiscard]] const std::vector<bool>& wanted() const { return wanted_; }
  /// A lower bound if the table is for any number of steps.
  [[nodiscard]] Moves moves(Part::Index state, std::uint32_t steps) const {
    return table_[(by_steps_ ? steps : 0) * wanted_.size() + state];
  }
  /// The same for the state that needs the fewest.
  [[nodiscard]] Moves least(std::uint32_t steps) const { return least_[by_steps_ ? steps : 0]; }

 private:
  void fill_row(std::uint32_t steps);
  void fill_for_any_number();

  const Part& part_;
  std::vector<bool> wanted_;
  gdl::HeldMemory held_;
  bool by_steps_ = false;
  std::uint32_t rows_ = 1;    // of the table
  std::vector<Moves> table_;  // [steps * states + state], only filled rows
  std::vector<Moves> least_;  // [steps]
};

}  // namespace ludens::search::factors
