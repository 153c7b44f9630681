// SPDX-License-Identifier: MIT
// How many histories fit what roles know, in random playouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/stopping.h"

namespace ludens::search::hidden {

struct BeliefSizes {
  /// Of one role behind so many turns: its information sets, as random playouts come to them.
  struct Step {
    std::uint64_t met = 0;     // one in each playout that came so far
    std::uint64_t beyond = 0;  // of these, with more histories than were counted
    double mean = 0;           // histories in one; those beyond count as many as were counted
    std::size_t largest = 0;   // likewise
  };
  std::uint64_t playouts = 0;
  std::size_t most = 0;                  // histories that are counted
  std::vector<std::vector<Step>> steps;  // [role][turns made]; none of `random`
};

struct BeliefSizesOptions {
  std::uint64_t playouts = 100;
  std::size_t most = 4096;  // histories that are counted; then "at least"
  std::size_t steps = 500;  // of a playout
  std::uint64_t seed = 1;
  gdl::MemoryBudget* memory = nullptr;  // null: no limit
};

/// Follows the belief of each role through random playouts until the deadline. A playout that is
/// cut short counts as far as it came.
BeliefSizes measure_beliefs(const std::shared_ptr<const gdl::Machine>& machine,
                            const BeliefSizesOptions& options, const Deadline& deadline);

}  // namespace ludens::search::hidden
