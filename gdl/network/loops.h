// SPDX-License-Identifier: MIT
// Gates that depend on each other in a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Feedbacks that depend on each other, and the gates between them. They are evaluated in rounds
/// that start with all feedbacks false: first the gates in their order, then every feedback takes
/// the value of its update, until nothing changes. A feedback that does not depend on itself is a
/// loop without gates.
struct Loop {
  std::vector<NodeId> gates;             // ascending: an evaluation order
  std::vector<std::uint32_t> feedbacks;  // indices, ascending
  /// No feedback depends on its own complement: the rounds end, and at the least fixpoint.
  bool monotone = true;
};

struct Loops {
  std::vector<Loop> loops;                     // those that others depend on first
  static constexpr std::uint32_t kNone = ~0U;  // not in a loop
  std::vector<std::uint32_t> of;               // [node]: index of its loop, or kNone
};

/// Takes linear time. Every feedback is in exactly one loop. If stopped by the poll (may be null),
/// the result means nothing.
Loops find_loops(const Network& network, StopPoll* poll = nullptr);

}  // namespace ludens::gdl
