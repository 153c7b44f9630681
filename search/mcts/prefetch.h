// SPDX-License-Identifier: MIT
// Memory asked for before it is needed.
#pragma once

#include <cstddef>

namespace ludens::search::mcts {

inline constexpr std::size_t kLineBytes = 64;  // that memory comes by

/// What stands there will be changed: the line is asked for so that no other processor keeps it.
/// (The instruction is one of every x86-64 since 2014, and does nothing on older ones.)
inline void fetch_to_change(const void* place) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(place)));
#else
  __builtin_prefetch(place, 1);
#endif
}

/// So many lines, from the one with `place` on.
inline void fetch_to_change(const void* place, std::size_t lines) {
  for (std::size_t line = 0; line < lines; ++line) {
    fetch_to_change(static_cast<const char*>(place) + line * kLineBytes);
  }
}

}  // namespace ludens::search::mcts
