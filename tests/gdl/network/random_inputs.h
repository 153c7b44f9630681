// SPDX-License-Identifier: MIT
// Inputs for a network, as they could be in play.
#pragma once

#include <algorithm>
#include <vector>

#include "gdl/network/simulation.h"

namespace ludens::gdl::tests {

/// Random states, and exactly one move of each role in each.
inline void set_random_inputs(const Network& n, Simulation& simulation, Rng& rng) {
  for (std::uint64_t& f : simulation.fluents) f = rng();
  std::ranges::fill(simulation.moves, 0);
  for (RoleIndex r = 0; r < n.roles(); ++r) {
    std::vector<std::size_t> of;
    for (std::size_t m = 0; m < n.moves.size(); ++m) {
      if (n.moves[m].role == r) of.push_back(m);
    }
    for (int lane = 0; lane < 64 && !of.empty(); ++lane) {
      const std::uint32_t chosen = rng.below(static_cast<std::uint32_t>(of.size()));
      simulation.moves[of[chosen]] |= std::uint64_t{1} << lane;
    }
  }
  simulation.evaluate();
}

}  // namespace ludens::gdl::tests
