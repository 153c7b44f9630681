#include "agent/thread/leavers.h"

#include <algorithm>
#include <utility>

namespace ludens::agent {

void Leavers::take(std::unique_ptr<Worker> worker, Owner owner) {
  reap();
  leavers_.push_back({std::move(worker), owner, Clock::now()});
}

void Leavers::take_ending(std::unique_ptr<Worker> worker) {
  reap();
  leavers_.push_back({std::move(worker), kNobody, Clock::now() + kEnding});
}

void Leavers::reap() {
  std::erase_if(leavers_, [](const Leaver& leaver) { return leaver.worker->ended(); });
}

std::size_t Leavers::count(const std::function<bool(const Leaver&)>& wanted) const {
  const Clock::time_point now = Clock::now();
  return static_cast<std::size_t>(
      std::count_if(leavers_.begin(), leavers_.end(), [&](const Leaver& leaver) {
        return wanted(leaver) && leaver.abandoned_at <= now && !leaver.worker->ended();
      }));
}

std::size_t Leavers::abandoned(Owner owner) const {
  return count([owner](const Leaver& leaver) { return leaver.owner == owner; });
}

std::size_t Leavers::abandoned() const {
  return count([](const Leaver&) { return true; });
}

std::size_t Leavers::leave(std::chrono::steady_clock::time_point until) {
  std::size_t left = 0;
  for (const Leaver& leaver : leavers_) {
    if (!leaver.worker->wait_ended(until)) ++left;
  }
  leavers_.clear();
  return left;
}

}  // namespace ludens::agent
