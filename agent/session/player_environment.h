// SPDX-License-Identifier: MIT
// What the matches of a player have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "agent/runtime/environment.h"
#include "agent/runtime/thinking_options.h"
#include "agent/session/margin.h"
#include "agent/session/options.h"
#include "gdl/memory/limits.h"

namespace ludens::agent {

/// Owned by the player; must outlive its sessions. I/O thread only.
struct PlayerEnvironment : Environment {
  const PlayerOptions& options;
  ThinkingOptions thinking;
  Margin margin;
  std::shared_ptr<gdl::MemoryBudget> memory;  // of all matches together

  /// The share of memory that a match is meant to have.
  [[nodiscard]] std::size_t share() const { return options.memory_bytes / options.capacity(); }
  /// The share of a match that begins now; less if abandoned threads hold some of it.
  [[nodiscard]] std::size_t memory_for_a_match() const {
    return std::min(share(), memory->limit() - std::min(memory->used(), memory->limit()));
  }
};

}  // namespace ludens::agent
