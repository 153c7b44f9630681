// SPDX-License-Identifier: MIT
// Computes and plays the equilibrium of a game that is small enough.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gdl/memory/held_memory.h"
#include "search/hidden/cfr_plus.h"
#include "search/hidden/extensive_form.h"
#include "search/strategy/incumbent.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

/// A complete game from its initial state on, and CFR+ on it, which can be continued at any time.
/// For one thread.
class Equilibrium {
 public:
  /// Follows all histories of the game. Fails with a sentence if there is not enough memory or time
  /// for them, or if there are more than `most` (0: any number).
  static gdl::Result<std::unique_ptr<Equilibrium>> build(const gdl::Machine& machine,
                                                         const Deadline& deadline,
                                                         gdl::MemoryBudget* memory,
                                                         std::uint64_t most = 0);

  /// Iterates until the deadline, until there have been `most` iterations (0: any number), or until
  /// there is practically nothing left to gain. Does not begin an iteration that would not end in
  /// time.
  void improve(const Deadline& deadline, std::uint64_t most);

  /// The mean strategy for what the role knows in this position, with a move drawn by it. `value`
  /// and those of the root moves are expected goals, `visits` their shares of all iterations.
  /// nullopt if the position does not belong to the game, or if the role has no choice.
  [[nodiscard]] std::optional<Choice> choose(const Position& position,
                                             std::span<const gdl::MoveId> legal, gdl::Rng rng);

  [[nodiscard]] std::uint64_t iterations() const { return cfr_.iterations(); }
  /// In goal points, when it was last computed; 100 before that.
  [[nodiscard]] double exploitability() const { return exploitability_; }
  [[nodiscard]] const ExtensiveForm& form() const { return form_; }

 private:
  Equilibrium(ExtensiveForm form, std::unique_ptr<gdl::HeldMemory> held)
      : held_(std::move(held)), form_(std::move(form)), cfr_(form_) {}

  std::unique_ptr<gdl::HeldMemory> held_;
  ExtensiveForm form_;
  CfrPlus cfr_;
  double exploitability_ = 100;
  std::uint64_t next_look_ = 64;             // computation of the exploitability, in iterations
  std::chrono::duration<double> longest_{};  // of an iteration
};

}  // namespace ludens::search::hidden
