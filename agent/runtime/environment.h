// SPDX-License-Identifier: MIT
// What a match needs from the player that it belongs to: clock, log and threads.
#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "agent/thread/line.h"
#include "agent/thread/retired_threads.h"
#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// Must outlive the matches that use it. I/O thread only.
struct Environment {
  Clock& clock;
  Scheduler& scheduler;
  std::shared_ptr<Line> line;
  std::shared_ptr<spdlog::logger> log;  // never null
  RetiredThreads retired{clock};
};

/// A logger that writes nothing.
std::shared_ptr<spdlog::logger> silent_log();

}  // namespace ludens::agent
