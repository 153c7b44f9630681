// SPDX-License-Identifier: MIT
// One part of a one-player game, alone: all states that it can reach.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/factors/projection.h"
#include "search/tree/state_map.h"

namespace ludens::search::factors {

/// A factor as a separate graph. In a step of the whole game the role makes a move in one factor,
/// and the others have no move. So from each state a part continues with one of its own moves, or
/// idles. As the future of a factor depends on nothing outside, the states of the whole game that
/// are given to the machine need not be reachable. For one thread.
class Part {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;

  /// `machine`, `projection` and `memory` (null: no limit) must outlive it.
  Part(const gdl::Machine& machine, Projection& projection, std::uint32_t factor,
       gdl::MemoryBudget* memory);

  /// Visits what can be reached from a state of the whole game, the first state being number 0. Ok:
  /// all states were visited, or it gave up after `most` states or without memory (see `complete`).
  /// Stopped: if called again, it continues. `visits` counts the states.
  gdl::Status explore(gdl::Machine::Context& context, gdl::StateView root, std::size_t most,
                      std::uint64_t& visits);
  [[nodiscard]] bool complete() const { return complete_; }

  [[nodiscard]] std::uint32_t factor() const { return factor_; }
  /// Whether it has no moves of its own: it advances by itself, like a clock.
  [[nodiscard]] bool is_clock() const { return own_count_ == 0; }
  [[nodiscard]] Index size() const { return static_cast<Index>(idle_.size()); }
  /// The states that own moves lead to, each once.
  [[nodiscard]] std::span<const Index> own(Index i) const {
    return std::span(own_).subspan(own_begin_[i], own_begin_[i + 1] - own_begin_[i]);
  }
  /// Its state after a step without an own move; kNone if the role has no other move at all.
  [[nodiscard]] Index idle(Index i) const { return idle_[i]; }
  /// The fluents that hold in a state, ascending.
  [[nodiscard]] std::span<const gdl::FluentId> fluents(Index i) const {
    return std::span(fluents_).subspan(fluents_begin_[i],
                                       fluents_begin_[i + 1] - fluents_begin_[i]);
  }
  /// The part's state in the state that the projection has read; kNone if it was not visited.
  [[nodiscard]] Index current() const {
    const Index* found = numbers_.find(projection_.key(factor_));
    return found == nullptr ? kNone : *found;
  }

 private:
  gdl::Status number(gdl::Machine::Context& context, gdl::StateView state,
                     std::optional<std::span<const gdl::MoveId>> legal, Index& out);
  std::size_t gather();
  gdl::Status follow(gdl::Machine::Context& context);
  gdl::Status absorb(gdl::Machine::Context& context, std::size_t& pair);

  const gdl::Machine& machine_;
  Projection& projection_;
  std::uint32_t factor_;
  gdl::MemoryBudget* memory_;
  gdl::HeldMemory held_;
  std::size_t used_ = 0;      // bytes
  std::vector<bool> is_own_;  // [move]
  std::size_t own_count_ = 0;
  gdl::MoveId other_ = gdl::kNoMove;  // a move that is not its own
  bool complete_ = false, given_up_ = false;

  StateMap numbers_;
  gdl::StateBatch states_;          // of the whole game; only while exploring, like
  std::vector<gdl::MoveId> moves_;  // the own legal moves of each
  std::vector<std::size_t> moves_begin_{0};
  std::vector<gdl::FluentId> fluents_;
  std::vector<std::size_t> fluents_begin_{0};
  std::vector<Index> own_, idle_;
  std::vector<std::size_t> own_begin_{0};

  // For the states being expanded.
  std::vector<gdl::MoveId> made_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion expansion_;
  std::vector<gdl::MoveId> legal_;
  std::vector<Index> reached_;
};

}  // namespace ludens::search::factors
