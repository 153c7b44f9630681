// SPDX-License-Identifier: MIT
// Does a machine say what the traces say?
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
  std::size_t percepts = 0;  // that the traces have
  std::size_t disagreements = 0;
  std::vector<std::string> examples;  // the first few: `playout 1, step 3: what differs`
  bool complete = true;               // false: the time was up
};

/// Replays playouts and compares states, legal moves, terminal, goals and percepts at every
/// recorded step. A playout is left at its first wrong state. Ends early, between two steps and not
/// before the first, when `time` is up.
ConformanceResult compare(const gdl::Machine& machine, const std::vector<TracePlayout>& playouts,
                          std::chrono::milliseconds time = std::chrono::milliseconds::max());

}  // namespace ludens::server
