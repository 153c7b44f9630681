// SPDX-License-Identifier: MIT
// Measures how many histories fit what roles know, in random playouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/stopping.h"

namespace ludens::search::hidden {

struct BeliefSizes {
  /// The information sets of one role after a number of turns, as random playouts reach them.
  struct Step {
    std::uint64_t met = 0;  // one in each playout that got this far
    /// Those that have, or had earlier, more histories than are counted. They are followed no
    /// further.
    std::uint64_t beyond = 0;
    /// Those where not all joint moves were tried, so that more histories may fit than were found.
    std::uint64_t at_least = 0;
    double mean = 0;          // histories in one: those found, or, beyond, as many as are counted
    std::size_t largest = 0;  // counted in the same way
  };
  std::uint64_t playouts = 0;
  std::size_t most = 0;                  // histories that are counted
  std::vector<std::vector<Step>> steps;  // [role][turns made]; none for `random`
};

struct BeliefSizesOptions {
  std::uint64_t playouts = 100;
  std::size_t most = 4096;  // histories that are counted; then "more than"
  std::size_t steps = 500;  // of a playout
  std::uint64_t seed = 1;
  gdl::MemoryBudget* memory = nullptr;  // null: no limit
};

/// Follows the belief of each role through random playouts until the deadline. A playout that is
/// cut short counts as far as it got.
BeliefSizes measure_beliefs(const std::shared_ptr<const gdl::Machine>& machine,
                            const BeliefSizesOptions& options, const Deadline& deadline);

}  // namespace ludens::search::hidden
