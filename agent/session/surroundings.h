// What a match uses of the player it belongs to.
#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "agent/player/player.h"
#include "agent/player/scheduler.h"
#include "agent/session/margin.h"
#include "agent/thread/leavers.h"
#include "agent/thread/line.h"

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
};

}  // namespace ludens::agent
