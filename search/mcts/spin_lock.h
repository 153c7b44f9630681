// SPDX-License-Identifier: MIT
// A lock of one byte, for critical sections that are shorter than the time it takes a thread to
// sleep.
#pragma once

#include <emmintrin.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace ludens::search::mcts {

class SpinLock {
 public:
  void lock() {
    for (unsigned tries = 0; taken_.exchange(1, std::memory_order_acquire) != 0; ++tries) {
      while (taken_.load(std::memory_order_relaxed) != 0) {
        _mm_pause();
        // The thread that holds it may have lost its processor.
        if (++tries % kPatience == 0) std::this_thread::yield();
      }
    }
  }
  void unlock() { taken_.store(0, std::memory_order_release); }

 private:
  static constexpr unsigned kPatience = 1024;  // about ten microseconds
  std::atomic<std::uint8_t> taken_{0};
};

/// Holds a lock while it lives; does nothing if there are no other threads.
class Hold {
 public:
  Hold(SpinLock& lock, bool needed) : lock_(needed ? &lock : nullptr) {
    if (lock_ != nullptr) lock_->lock();
  }
  ~Hold() {
    if (lock_ != nullptr) lock_->unlock();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  SpinLock* lock_;
};

}  // namespace ludens::search::mcts
