// SPDX-License-Identifier: MIT
// Measures how often there is a winning move, and how often the turn may be kept.
#pragma once

#include <cstdint>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

struct WinShare {
  std::uint64_t states = 0;   // in which a role had to choose
  std::uint64_t at_once = 0;  // those in which another role had to choose, too
  std::uint64_t with_win = 0;
  /// Those in which one role alone had to choose, and by some moves would have had to again, and by
  /// others not.
  std::uint64_t may_keep = 0;
  [[nodiscard]] double share() const { return of_states(with_win); }
  [[nodiscard]] double keeping_share() const { return of_states(may_keep); }

 private:
  [[nodiscard]] double of_states(std::uint64_t count) const {
    return states == 0 ? 0 : static_cast<double>(count) / static_cast<double>(states);
  }
};

/// Examines the states of uniform playouts from `start`. In each of them it expands all moves of
/// one of the roles that can choose, with random moves of the others. Ends after `pairs` of state
/// and move, or when the context is stopped. Needs no network: the tactics of a network can be
/// judged by it.
WinShare measure_win_share(const Machine& machine, Machine::Context& context, StateView start,
                           std::uint64_t pairs, Rng& rng);

}  // namespace ludens::gdl
