// SPDX-License-Identifier: MIT
// Shares of a thinking time.
#pragma once

#include <algorithm>
#include <chrono>

#include "search/strategy/stopping.h"

namespace ludens::search {

using Seconds = std::chrono::duration<double>;

/// The time that is assumed where only a stop token ends the thinking.
inline constexpr Seconds kUnlimited{5};

/// The time until the deadline, never negative; `kUnlimited` if the deadline has no clock.
inline Seconds time_left(const Deadline& deadline) {
  if (deadline.at() == TimePoint::max()) return kUnlimited;
  return std::max(Seconds(0), Seconds(deadline.at() - std::chrono::steady_clock::now()));
}

/// The deadline, or `seconds` from now if that is earlier.
inline Deadline within(const Deadline& deadline, Seconds seconds) {
  return deadline.no_later_than(
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds));
}

}  // namespace ludens::search
