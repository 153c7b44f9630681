// SPDX-License-Identifier: MIT
#include "agent/thread/freed_memory.h"

#include <malloc.h>

#include <mutex>

namespace ludens::agent {

void keep_little_freed_memory() {
  constexpr int kMost = 1 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kMost);
  ::mallopt(M_MMAP_THRESHOLD, kMost);
}

void return_memory() {
  // The first call initialises the allocator if nothing else has, for example if a sanitizer's own
  // allocator replaces it. Two concurrent calls would both do it.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  ::malloc_trim(0);
}

}  // namespace ludens::agent
