// SPDX-License-Identifier: MIT
// Time and threads as the agent needs them: implemented on Asio by the server, by hand in tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace ludens::agent {

using TimePoint = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The I/O thread. `post` and `cancel` may be called from any thread; the functions run on the I/O
/// thread one at a time, and must be short.
class Scheduler {
 public:
  using TimerId = std::uint64_t;
  virtual ~Scheduler() = default;
  virtual void post(std::function<void()> function) = 0;
  /// Runs the function at that time, or as soon as the thread is free afterwards.
  virtual TimerId at(TimePoint when, std::function<void()> function) = 0;
  /// No effect on a timer that has run.
  virtual void cancel(TimerId timer) = 0;
};

}  // namespace ludens::agent
