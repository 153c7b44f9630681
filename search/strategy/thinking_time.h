// SPDX-License-Identifier: MIT
// Shares of a thinking time.
#pragma once

#include <algorithm>
#include <chrono>

#include "search/strategy/stopping.h"

namespace ludens::search {

using Seconds = std::chrono::duration<double>;

/// What counts as the whole time if only a stop token ends it.
inline constexpr Seconds kUnlimited{5};

/// 0 or more.
inline Seconds time_left(const Deadline& deadline) {
  if (deadline.at() == TimePoint::max()) return kUnlimited;
  return std::max(Seconds(0), Seconds(deadline.at() - std::chrono::steady_clock::now()));
}

/// The deadline, or earlier, when so much time has passed.
inline Deadline within(const Deadline& deadline, Seconds seconds) {
  return deadline.no_later_than(
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds));
}

}  // namespace ludens::search
