// SPDX-License-Identifier: MIT
// How often there is a winning move.
#pragma once

#include <cstdint>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

struct WinShare {
  std::uint64_t states = 0;   // in which a role had to choose
  std::uint64_t at_once = 0;  // and another one, too
  std::uint64_t with_win = 0;
  [[nodiscard]] double share() const {
    return states == 0 ? 0 : static_cast<double>(with_win) / static_cast<double>(states);
  }
};

/// Looks at the states of uniform playouts from `start`, each with what follows from all moves of
/// one of the roles that can choose, the others' being drawn, until `pairs` of state and move have
/// been looked at or the context is stopped. Needs no network: it is what the tactics of a network
/// can be judged by.
WinShare measure_win_share(const Machine& machine, Machine::Context& context, StateView start,
                           std::uint64_t pairs, Rng& rng);

}  // namespace ludens::gdl
