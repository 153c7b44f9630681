// SPDX-License-Identifier: MIT
// A lock for many threads at a time, or for one alone.
#pragma once

#include <atomic>
#include <shared_mutex>
#include <thread>

namespace ludens::search::value {

/// A lock for `std::shared_lock` and `std::unique_lock`. A thread that wants exclusive access
/// precedes all that come later, so that many sharing threads don't keep it waiting.
class WriterFirstMutex {
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
