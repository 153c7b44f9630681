// SPDX-License-Identifier: MIT
// Visits all states of a small game.
#pragma once

#include <optional>

#include "search/analysis/findings.h"

namespace ludens::search {

struct Exploration {
  std::uint64_t states = 0;
  std::optional<std::uint32_t> depth;  // of the longest game; nullopt if states recur
};

/// Visits all states that can follow `from`, breadth first and in batches, and reports all of them
/// to `findings`. nullopt if there are more than `limit`, the machine was stopped, or memory ran
/// out; what was seen until then has been reported.
std::optional<Exploration> explore(const gdl::Machine& machine, gdl::Machine::Context& context,
                                   gdl::StateView from, std::size_t limit, Findings& findings);

}  // namespace ludens::search
