// SPDX-License-Identifier: MIT
// What may have happened in a game with hidden information, as far as one role knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "search/hidden/histories.h"
#include "search/hidden/sampling.h"
#include "search/hidden/turn_filter.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

struct BeliefOptions {
  std::size_t most = 4096;              // histories kept; at least 1
  std::uint64_t seed = 1;               // for the sample
  gdl::MemoryBudget* memory = nullptr;  // null: no limit; if it is not enough, there are fewer
                                        // histories
};

/// The histories that fit what a role knows: all of them while there are few, otherwise a sample. A
/// history fits if the role's own moves are legal in it and are those that it made, if the role
/// would perceive what it perceived, and if the game does not end before the match does. The weight
/// of a history is its probability if all other roles choose uniformly. For one thread.
class Belief {
 public:
  /// A belief without histories. The first call of `advance` or `follow` begins at the initial
  /// state, which is the only history before the first turn.
  Belief(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
         const BeliefOptions& options = {});

  /// Adds one more turn. All histories that fit are followed while there are at most `options.most`
  /// and no more than 64 times as many continuations to try. After that a sample is drawn forward,
  /// and if few of it fit, histories are searched for depth-first from the initial state. So the
  /// belief is only empty if the rules allow nothing that fits. After anything but Ok the belief is
  /// unchanged, and the call can be repeated. Stopped means that `stop` asked for it before any
  /// history that fits was found.
  gdl::Status advance(const KnownTurn& turn, const gdl::StopSignal& stop,
                      MatchPhase match = MatchPhase::GoesOn);
  /// Adds the missing turns of all that the role knows; starts again if that differs from the turns
  /// added so far. After anything but Ok, only a part of the turns has been added.
  gdl::Status follow(std::span<const KnownTurn> known, const gdl::StopSignal& stop);
  /// Continues with another machine of the same match; after anything but Ok, with the old one.
  gdl::Status change_machine(std::shared_ptr<const gdl::Machine> machine,
                             const gdl::StopSignal& stop);

  /// Whether there are no histories: the rules allow nothing that fits, as the last turn is
  /// impossible, which is permanent; or nothing was followed yet.
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Whether these are all histories that fit.
  [[nodiscard]] bool exact() const { return exact_; }
  /// Whether more than `options.most` are known to fit. Otherwise, if the belief is not exact, at
  /// least these fit: not all were tried, or there was no memory for all.
  [[nodiscard]] bool overflows() const { return overflows_; }
  [[nodiscard]] std::size_t size() const { return histories_.size(); }
  /// The number of turns added.
  [[nodiscard]] std::size_t turns() const { return turns_.size(); }
  /// This and the following results are valid until the next call that is not const.
  [[nodiscard]] gdl::StateView state(std::size_t i) const { return histories_.states[i]; }
  /// All joint moves since the initial state, stored contiguously (one move per role and turn).
  [[nodiscard]] std::span<const gdl::MoveId> history(std::size_t i) const {
    return histories_.history(i);
  }
  /// Legal moves, ascending; none if the game is over.
  [[nodiscard]] std::span<const gdl::MoveId> legal(std::size_t i, gdl::RoleIndex role) const {
    return histories_.legal(i, role);
  }
  /// A hash of all that a role knows if this is the history (known_hash.h).
  [[nodiscard]] std::uint64_t known_by(std::size_t i, gdl::RoleIndex role) const {
    return histories_.known_by(i, role);
  }
  /// The weights add up to 1.
  [[nodiscard]] double weight(std::size_t i) const { return histories_.weights[i]; }
  /// The one of the greatest weight. Not of an empty belief.
  [[nodiscard]] std::size_t likeliest() const;
  /// All of this at once.
  [[nodiscard]] const Histories& histories() const { return histories_; }
  /// Draws a history by the weights. The belief must not be empty.
  [[nodiscard]] std::size_t draw(gdl::Rng& rng) const { return at(rng.uniform()); }
  /// The history at this share of the sum of all weights, 0..1.
  [[nodiscard]] std::size_t at(double share) const { return cumulative_.at(share); }

  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& machine() const { return machine_; }
  [[nodiscard]] gdl::RoleIndex role() const { return role_; }

 private:
  gdl::Status begin(const gdl::StopSignal& stop);
  [[nodiscard]] bool begun() const { return !empty() || !turns_.empty(); }
  [[nodiscard]] std::unique_ptr<gdl::Machine::Context> make_context(
      const gdl::Machine& machine, const gdl::StopSignal& stop) const {
    return machine.make_context({.stop = &stop, .memory = options_.memory});
  }
  [[nodiscard]] gdl::Status settle(Histories found, bool exact, bool overflows);

  std::shared_ptr<const gdl::Machine> machine_;
  gdl::RoleIndex role_;
  BeliefOptions options_;
  gdl::Rng rng_;
  std::vector<KnownTurn> turns_;
  Histories histories_;
  CumulativeWeights cumulative_;  // [history]
  bool exact_ = true, overflows_ = false;
  std::unique_ptr<gdl::HeldMemory> held_ = std::make_unique<gdl::HeldMemory>();
};

}  // namespace ludens::search::hidden
