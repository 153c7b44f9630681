// SPDX-License-Identifier: MIT
// How much memory the process has used, for tests of what must use little.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace ludens::gdl::tests {

/// The most that has been resident, in bytes.
inline std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kb = 0;
    if (word == "VmHWM:" && status >> kb) return kb << 10;
  }
  return 0;
}

/// Makes the present size the peak. What tests before have freed goes back to the system, and large
/// blocks are mapped one by one from now on, so that what follows grows alike whatever ran before.
inline void forget_peak() {
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

}  // namespace ludens::gdl::tests
