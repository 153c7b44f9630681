// SPDX-License-Identifier: MIT
#include "agent/thread/freed_memory.h"

#include <malloc.h>

namespace ludens::agent {

void keep_little_freed_memory() {
  constexpr int kMost = 1 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kMost);
  ::mallopt(M_MMAP_THRESHOLD, kMost);
}

void return_memory() {
  ::malloc_trim(0);
}

}  // namespace ludens::agent
