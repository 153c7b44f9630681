// SPDX-License-Identifier: MIT
// Does a machine agree with the traces?
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "server/conformance/trace.h"

namespace ludens::server {

struct ConformanceResult {
  std::size_t playouts = 0, states = 0;
  std::size_t percepts = 0;  // in the traces
  std::size_t disagreements = 0;
  std::vector<std::string> examples;  // the first few: `playout 1, step 3: what differs`
  bool complete = true;               // false: the time was up
};

/// Replays playouts and compares states, legal moves, terminal, goals and percepts at every
/// recorded step. A playout is abandoned at its first wrong state. Ends early when `time` is up,
/// between two steps and not before the first.
ConformanceResult compare(const gdl::Machine& machine, const std::vector<TracePlayout>& playouts,
                          std::chrono::milliseconds time = std::chrono::milliseconds::max());

}  // namespace ludens::server
