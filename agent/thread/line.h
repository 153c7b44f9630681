// SPDX-License-Identifier: MIT
// Posts functions to the I/O thread from other threads.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// Posts to the I/O thread as long as it exists. An abandoned thread may post long after the player
/// and its scheduler are gone: what it posts then is dropped. Shared by all threads that post;
/// thread-safe.
class Line {
 public:
  explicit Line(Scheduler& scheduler) : scheduler_(&scheduler) {}

  void post(std::function<void()> function) {
    std::lock_guard lock(mutex_);
    if (scheduler_ != nullptr) scheduler_->post(std::move(function));
  }
  /// From now on nothing is posted.
  void close() {
    std::lock_guard lock(mutex_);
    scheduler_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Scheduler* scheduler_;
};

}  // namespace ludens::agent
