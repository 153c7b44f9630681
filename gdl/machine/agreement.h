// SPDX-License-Identifier: MIT
// Checks whether machines agree on a game: every question in random playouts is put to all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

struct AgreementOptions {
  std::uint32_t playouts = 1;
  std::uint32_t step_cap = 1'000;
  std::uint32_t pairs_per_state = 2;  // joint moves of each state that are expanded in a batch
  const StopSignal* stop = nullptr;
};

struct Agreement {
  std::uint64_t playouts = 0, states = 0;
  /// One sentence per difference, with machine, playout and step; a playout ends at its first
  /// difference.
  std::vector<std::string> differences;
};

/// Plays uniformly at random on `reference`. In every state the others must give the same legal
/// moves, end, goals and fluents (those that they keep), by single calls and by a walker, which
/// must be able to go back to the start; the same percepts of the moves made; and the same
/// expansions and percepts, in one batch a playout. All machines share one vocabulary.
Agreement compare_machines(const Machine& reference, std::span<const Machine* const> others,
                           const AgreementOptions& options, Rng& rng);

}  // namespace ludens::gdl
