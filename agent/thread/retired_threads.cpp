// SPDX-License-Identifier: MIT
#include "agent/thread/retired_threads.h"

#include <algorithm>
#include <utility>

namespace ludens::agent {

void RetiredThreads::take(std::unique_ptr<Worker> worker, const Owner& owner) {
  reap();
  threads_.push_back({std::move(worker), owner, clock_.now()});
}

void RetiredThreads::take_ending(std::unique_ptr<Worker> worker, const Owner& owner) {
  reap();
  threads_.push_back({std::move(worker), owner, clock_.now() + kEnding});
}

void RetiredThreads::reap() {
  std::erase_if(threads_, [](const Retired& thread) { return thread.worker->ended(); });
}

std::size_t RetiredThreads::count(const std::function<bool(const Retired&)>& wanted) const {
  const TimePoint now = clock_.now();
  return static_cast<std::size_t>(
      std::count_if(threads_.begin(), threads_.end(), [&](const Retired& thread) {
        return wanted(thread) && thread.abandoned_at <= now && !thread.worker->ended();
      }));
}

std::size_t RetiredThreads::abandoned(const Owner& owner) const {
  return count([strategy = owner.strategy](const Retired& thread) {
    return thread.owner.strategy == strategy;
  });
}

std::size_t RetiredThreads::abandoned_of(std::string_view peer) const {
  return count([peer](const Retired& thread) { return thread.owner.peer == peer; });
}

std::size_t RetiredThreads::abandoned() const {
  return count([](const Retired&) { return true; });
}

bool RetiredThreads::some_end() const {
  const TimePoint now = clock_.now();
  return std::any_of(threads_.begin(), threads_.end(), [&](const Retired& thread) {
    return thread.abandoned_at > now && !thread.worker->ended();
  });
}

std::size_t RetiredThreads::leave(TimePoint until) {
  std::size_t left = 0;
  for (const Retired& thread : threads_) {
    if (!thread.worker->wait_ended(until)) ++left;
  }
  threads_.clear();
  return left;
}

}  // namespace ludens::agent
