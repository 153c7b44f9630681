// SPDX-License-Identifier: MIT
#include "gdl/machine/shared_network.h"

#include <chrono>

namespace ludens::gdl {

SharedNetwork::Pointer SharedNetwork::get(const StopSignal* stop,
                                          const std::function<Pointer()>& make) {
  constexpr std::chrono::milliseconds kBetweenQuestions{1};
  std::unique_lock lock(mutex_);
  while (making_) {
    if (stop != nullptr && stop->stop_requested()) return nullptr;
    ended_.wait_for(lock, kBetweenQuestions);
  }
  if (Pointer held = network_.lock()) return held;
  making_ = true;
  lock.unlock();
  const auto end = [&](const Pointer& made) {
    lock.lock();
    network_ = made;
    making_ = false;
    ended_.notify_all();
  };
  try {
    Pointer made = make();
    end(made);
    return made;
  } catch (...) {
    end(nullptr);
    throw;
  }
}

}  // namespace ludens::gdl
