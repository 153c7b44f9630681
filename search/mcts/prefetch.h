// SPDX-License-Identifier: MIT
// Fetches memory before it is needed.
#pragma once

#include <cstddef>

namespace ludens::search::mcts {

inline constexpr std::size_t kLineBytes = 64;  // the unit of memory transfers

/// Fetches a line that will be changed, so that no other processor keeps it. (Every x86-64 since
/// 2014 has the instruction, and it does nothing on older ones.)
inline void fetch_to_change(const void* place) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(place)));
#else
  __builtin_prefetch(place, 1);
#endif
}

/// Fetches this many lines, starting with the one that contains `place`.
inline void fetch_to_change(const void* place, std::size_t lines) {
  for (std::size_t line = 0; line < lines; ++line) {
    fetch_to_change(static_cast<const char*>(place) + line * kLineBytes);
  }
}

}  // namespace ludens::search::mcts
