// SPDX-License-Identifier: MIT
// The network of a game, shared by all users while a machine holds it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

struct GameNetwork;

/// Does not keep a network alive. Thread-safe.
class SharedNetwork {
 public:
  using Pointer = std::shared_ptr<const GameNetwork>;

  /// The network that some machine holds, or what `make` returns. While another thread makes one,
  /// this call waits for it, and calls `make` only if that thread ends without a network. `make`
  /// may return null. The result is also null, without a call of `make`, if `stop` ends the wait.
  Pointer get(const StopSignal* stop, const std::function<Pointer()>& make);

  /// How many times the rules were grounded, for networks of any form.
  [[nodiscard]] std::uint64_t groundings() const { return groundings_; }
  void count_grounding() { ++groundings_; }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool making_ = false;
  std::weak_ptr<const GameNetwork> network_;
  std::atomic<std::uint64_t> groundings_{0};
};

}  // namespace ludens::gdl
