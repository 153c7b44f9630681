// SPDX-License-Identifier: MIT
// The agent's clock and I/O thread, on Asio.
#pragma once

#include <memory>

#include "agent/thread/scheduler.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

class SteadyClock final : public agent::Clock {
 public:
  [[nodiscard]] agent::TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

/// The I/O thread is whichever single thread runs the context, which must outlive the scheduler.
/// Any thread may make any call. A function whose timer was cancelled before it began does not run,
/// even if its time had already come. Timers die with the scheduler; posted functions still run.
class AsioScheduler final : public agent::Scheduler {
 public:
  explicit AsioScheduler(boost::asio::io_context& context);
  ~AsioScheduler() override;
  AsioScheduler(const AsioScheduler&) = delete;
  AsioScheduler& operator=(const AsioScheduler&) = delete;

  void post(std::function<void()> function) override;
  TimerId at(agent::TimePoint when, std::function<void()> function) override;
  void cancel(TimerId timer) override;

 private:
  class Timers;
  boost::asio::io_context& context_;
  std::shared_ptr<Timers> timers_;
};

}  // namespace ludens::server
