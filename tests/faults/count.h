// SPDX-License-Identifier: MIT
// What the preloaded library reports about a run, in a file that both sides map.
#pragma once

#include <atomic>
#include <cstdint>

namespace ludens::faults {

struct Count {
  std::atomic<std::uint64_t> calls{0};   // of the chosen kinds
  std::atomic<std::uint64_t> failed{0};  // those that were let fail
  char first[32] = {};                   // the name of the first of them
};

}  // namespace ludens::faults
