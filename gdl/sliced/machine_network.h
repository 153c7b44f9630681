// SPDX-License-Identifier: MIT
// The network that a machine plays, for code that builds on it.
//
// A search that wants to know which fluent a bit of a state is, or which gates read it, calls
// `machine.network()`, and then uses `game()->network.fluents[bit]` or `game()->structure` of the
// result. Null means "this game is played without a network": another machine may come later in the
// match. Code that needs a network, whatever the machine is, calls `network_of`
// (pipeline/pipeline.h), which takes as long as building a machine if there is none.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "gdl/memory/held_memory.h"
#include "gdl/network/game_network.h"
#include "gdl/sliced/batches.h"

namespace ludens::gdl {

/// Belongs to a network machine (`Machine::network`). Thread-safe.
class MachineNetwork {
 public:
  /// `game` may be null.
  MachineNetwork(std::shared_ptr<const GameNetwork> game, std::size_t lanes, EvaluationForm form,
                 bool generated = false)
      : game_(std::move(game)), lanes_(lanes), form_(form), generated_(generated) {}

  /// Bit i of a state is fluent i of its network. Null for a network of more than 200,000 gates and
  /// for the network of an early machine, which are not kept.
  [[nodiscard]] const std::shared_ptr<const GameNetwork>& game() const { return game_; }
  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  [[nodiscard]] EvaluationForm form() const { return form_; }
  /// Whether batches of states run generated code.
  [[nodiscard]] bool generated() const { return generated_; }

  /// Counts the ground rules until they are dropped, at the latest until the machine is destroyed,
  /// and drops them if there is no memory for them.
  void hold_ground_rules(MemoryBudget* memory) {
    if (game_ == nullptr || game_->ground_rules == nullptr) return;
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = game_->ground_rules->bytes();
    if (!ground_rules_.reserve(bytes, memory)) game_->ground_rules->drop();
  }
  /// To be called when no further network will be built from them.
  void drop_ground_rules() const {
    if (game_ == nullptr || game_->ground_rules == nullptr) return;
    const std::lock_guard lock(mutex_);
    game_->ground_rules->drop();
    ground_rules_.release();
  }

 private:
  std::shared_ptr<const GameNetwork> game_;
  std::size_t lanes_;
  EvaluationForm form_;
  bool generated_;
  mutable std::mutex mutex_;
  mutable HeldMemory ground_rules_;
};

}  // namespace ludens::gdl
