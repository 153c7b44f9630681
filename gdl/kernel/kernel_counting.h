// SPDX-License-Identifier: MIT
// Which moves are made in playouts that are won and lost. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

/// Logs the moves of the running playouts of all lanes. All calls need a `Counting`.
class MoveLog {
 public:
  MoveLog(const Counting* counting, std::uint32_t roles) : counting_(counting), roles_(roles) {
    if (counting == nullptr) return;
    made_ = static_cast<Register*>(counting->scratch);
    won_ = made_ + counting->move_count;
    beyond_ = won_ + roles;
  }

  /// Notes that the moves that are set are made in the lanes `moving`.
  __attribute__((noinline)) void note(const Register* s, Register moving) {
    const Register* const chosen = s + counting_->first_move;
    for (std::uint32_t m = 0; m < counting_->move_count; ++m) made_[m] |= chosen[m] & moving;
  }

  /// Notes that a role has a goal in these finished lanes. A role without a goal has 0.
  void score(Register lanes, std::uint32_t role, std::uint32_t goal) {
    if (goal >= counting_->won_from) won_[role] |= lanes;
    if (goal > counting_->lost_to) beyond_[role] |= lanes;
  }

  /// Adds up finished lanes, whose goals have all been noted, and forgets them. `start`: the start
  /// of each lane, or null if there is only one.
  __attribute__((noinline)) void count(Register done, const std::uint32_t* start) {
    if (!counting_->per_start) start = nullptr;
    for (std::uint32_t role = 0; role < roles_; ++role) {
      const Register won = won_[role], lost = done & ~beyond_[role];
      won_[role] = beyond_[role] = zeros();
      for (std::uint32_t m = counting_->first_of_role[role]; m < counting_->first_of_role[role + 1];
           ++m) {
        const Register made = made_[m] & done;
        if (!any(made)) continue;
        made_[m] &= ~done;
        add(made, start, m, &MoveTally::made);
        add(made & won, start, m, &MoveTally::won);
        add(made & lost, start, m, &MoveTally::lost);
      }
    }
  }

 private:
  void add(Register lanes, const std::uint32_t* start, std::uint32_t move,
           std::uint64_t MoveTally::*which) const {
    MoveTally* const tallies = counting_->tallies + move;
    if (start == nullptr) {
      tallies->*which += gdl::kernel::count(lanes);
      return;
    }
    for_lanes(lanes, [&](std::size_t l) {
      ++(tallies[std::size_t{start[l]} * counting_->move_count].*which);
    });
  }

  const Counting* counting_;
  std::uint32_t roles_;
  Register* made_ = nullptr;    // [move]: lanes in whose playout it was made
  Register* won_ = nullptr;     // [role]: finished lanes
  Register* beyond_ = nullptr;  // [role]: finished lanes that are not lost
};

}  // namespace
}  // namespace ludens::gdl::kernel
