// SPDX-License-Identifier: MIT
// A clock and an I/O thread that tests drive by hand.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// Time moves only by `advance`; the thread of the test is the I/O thread.
class ManualTime final : public Clock, public Scheduler {
 public:
  using Duration = std::chrono::steady_clock::duration;

  [[nodiscard]] TimePoint now() const override { return now_; }

  void post(std::function<void()> function) override {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(function));
    changed_.notify_all();
  }
  TimerId at(TimePoint when, std::function<void()> function) override {
    std::lock_guard lock(mutex_);
    timers_.emplace(std::pair(when, ++last_), std::move(function));
    return last_;
  }
  void cancel(TimerId timer) override {
    std::lock_guard lock(mutex_);
    std::erase_if(timers_, [timer](const auto& entry) { return entry.first.second == timer; });
  }

  /// Runs what is posted until the condition holds; false if that takes too long in real time.
  bool run_until(const std::function<bool()>& condition,
                 std::chrono::seconds patience = std::chrono::seconds(60)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_until(lock, end, [this] { return !posted_.empty(); })) return false;
      run_one(lock);
    }
    return true;
  }
  void run_posted() {
    std::unique_lock lock(mutex_);
    while (!posted_.empty()) {
      run_one(lock);
      lock.lock();
    }
  }

  /// Moves time on, running timers (each `lateness` after its time) and what is posted.
  void advance(Duration duration) {
    const TimePoint end = now_ + duration;
    while (true) {
      run_posted();
      std::unique_lock lock(mutex_);
      if (timers_.empty() || timers_.begin()->first.first + lateness > end) break;
      auto node = timers_.extract(timers_.begin());
      lock.unlock();
      now_ = std::max(now_, node.key().first + lateness);
      node.mapped()();
    }
    now_ = std::max(now_, end);
  }

  Duration lateness{0};

 private:
  /// Leaves the lock open.
  void run_one(std::unique_lock<std::mutex>& lock) {
    const auto function = std::move(posted_.front());
    posted_.pop_front();
    lock.unlock();
    function();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> posted_;
  std::map<std::pair<TimePoint, TimerId>, std::function<void()>> timers_;
  TimerId last_ = 0;
  TimePoint now_{std::chrono::hours(1)};
};

}  // namespace ludens::agent
