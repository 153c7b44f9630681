// SPDX-License-Identifier: MIT
// Several threads that work on one search.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ludens::search {

/// Calls `work(i)` for each i below `count` at the same time: for 0 in this thread, for the others
/// in threads of their own. Where the system has no more threads, those that run are enough.
/// Returns when all calls have returned. If any of them throws, `give_up()` is called, which should
/// make the others return early, and then the first exception is thrown here.
template <typename Work, typename GiveUp>
void work_together(std::size_t count, Work&& work, GiveUp&& give_up) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
      }
      give_up();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < count; ++i) others.emplace_back([&guarded, i] { guarded(i); });
    } catch (const std::exception&) {  // no thread can be had, or no memory for one
    }
    guarded(0);
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace ludens::search
