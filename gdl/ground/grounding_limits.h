// SPDX-License-Identifier: MIT
// What a grounding may cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// What a grounding may cost, besides the stop signal and the memory budget.
struct GroundingLimits {
  Limits limits;
  std::uint64_t max_instances = 60'000'000;
  std::uint64_t max_rows = 30'000'000;             // of all relations together
  std::size_t max_bytes = std::size_t{768} << 20;  // of these
};

}  // namespace ludens::gdl
