// What a match uses of the player it belongs to.
#pragma once

#include <spdlog/logger.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "agent/session/margin.h"
#include "agent/session/options.h"
#include "agent/thread/leavers.h"
#include "agent/thread/line.h"
#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// Owned by the player; outlives its sessions. I/O thread only.
struct Surroundings {
  const PlayerOptions& options;
  Clock& clock;
  Scheduler& scheduler;
  std::shared_ptr<Line> line;
  std::shared_ptr<spdlog::logger> log;
  Margin margin;
  Leavers leavers;
  std::shared_ptr<gdl::MemoryBudget> memory;  // of all matches together

  /// The share of a match that begins now, less where threads left behind hold some of it.
  [[nodiscard]] std::size_t memory_for_a_match() const {
    return std::min(options.memory_bytes / std::max(1u, options.matches),
                    memory->limit() - std::min(memory->used(), memory->limit()));
  }
};

}  // namespace ludens::agent
