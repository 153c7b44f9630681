// SPDX-License-Identifier: MIT
// Many threads at a time, or one alone.
#pragma once

#include <atomic>
#include <shared_mutex>
#include <thread>

namespace ludens::search::value {

/// A lock for `std::shared_lock` and `std::unique_lock`. Who wants to be alone comes before all who
/// come later, so that many who share it don't keep him waiting.
class Gate {
 public:
  void lock() {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void unlock() { mutex_.unlock(); }
  void lock_shared() {
    while (waiting_.load(std::memory_order_relaxed) > 0) std::this_thread::yield();
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
  std::atomic<int> waiting_{0};
};

}  // namespace ludens::search::value
