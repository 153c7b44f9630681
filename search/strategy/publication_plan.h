// SPDX-License-Identifier: MIT
// When a search publishes what it has found so far.
#pragma once

#include <chrono>
#include <cstdint>

#include "search/strategy/stopping.h"

namespace ludens::search {

/// Decides when the incumbent is published: at doubled counts, and often enough for viewers.
class PublicationPlan {
 public:
  /// Whether to publish now: `iterations` has reached the next power of two, or 20 ms have passed
  /// since the last time. If true, it counts as published.
  [[nodiscard]] bool due(std::uint64_t iterations) {
    if (iterations < next_iterations_ && std::chrono::steady_clock::now() < next_time_)
      return false;
    while (next_iterations_ <= iterations) next_iterations_ *= 2;
    next_time_ = std::chrono::steady_clock::now() + kEvery;
    return true;
  }

 private:
  static constexpr auto kEvery = std::chrono::milliseconds(20);

  std::uint64_t next_iterations_ = 1;
  TimePoint next_time_ = std::chrono::steady_clock::now() + kEvery;
};

}  // namespace ludens::search
