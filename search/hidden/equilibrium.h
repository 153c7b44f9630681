// SPDX-License-Identifier: MIT
// The equilibrium of a game that is small enough, for who plays by it.
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

/// A game as a whole from its initial state on, and CFR+ on it, to go on with at any time. One
/// thread.
class Equilibrium {
 public:
  /// Follows all histories of the game. What went wrong, in a sentence: no memory or no time for
  /// them, or more than `most` (0: any number).
  static gdl::Result<std::unique_ptr<Equilibrium>> build(const gdl::Machine& machine,
                                                         const Deadline& deadline,
                                                         gdl::MemoryBudget* memory,
                                                         std::uint64_t most = 0);

  /// Iterates until the deadline, until there have been `most` iterations (0: any number), or until
  /// nothing worth the name is left to gain. An iteration is not begun that would not end in time.
  void improve(const Deadline& deadline, std::uint64_t most);

  /// The mean strategy where the role knows what the position says, with a move drawn by it.
  /// `value` and those of the root moves are expected goals, `visits` their shares of all
  /// iterations. nullopt where the position is none of the game, or the role has no choice.
  [[nodiscard]] std::optional<Choice> choose(const Position& position,
                                             std::span<const gdl::MoveId> legal, gdl::Rng rng);

  [[nodiscard]] std::uint64_t iterations() const { return cfr_.iterations(); }
  /// In goal points, when it was last looked at; 100 before.
  [[nodiscard]] double exploitability() const { return exploitability_; }
  [[nodiscard]] const ExtensiveForm& form() const { return form_; }

 private:
  Equilibrium(ExtensiveForm form, std::unique_ptr<gdl::HeldMemory> held)
      : held_(std::move(held)), form_(std::move(form)), cfr_(form_) {}

  std::unique_ptr<gdl::HeldMemory> held_;
  ExtensiveForm form_;
  CfrPlus cfr_;
  double exploitability_ = 100;
  std::uint64_t next_look_ = 64;             // at the exploitability, in iterations
  std::chrono::duration<double> longest_{};  // of an iteration
};

}  // namespace ludens::search::hidden
