// SPDX-License-Identifier: MIT
// What may have come to pass in a game with hidden information, as far as one role can tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "search/hidden/histories.h"
#include "search/hidden/lots.h"
#include "search/hidden/others.h"
#include "search/hidden/turn_filter.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

struct BeliefOptions {
  std::size_t most = 4096;              // histories kept; at least 1
  std::uint64_t seed = 1;               // of the sample
  gdl::MemoryBudget* memory = nullptr;  // null: no limit; fewer histories where it does not suffice
  /// How the other roles choose, asked at each turn that is taken over; null: uniformly. It must
  /// outlive the belief.
  const KnownStrategy* others = nullptr;
};

/// The histories that fit what a role knows: all of them while they are few, else a sample. A
/// history fits if the role's own moves are legal in it and are those that it made, if it perceives
/// what was perceived, and if the game does not end before the match does. Weights are the
/// probability of the history where `random` chooses uniformly and the other roles as is known of
/// them. One thread.
class Belief {
 public:
  /// What is believed at the initial state, which is the only history before the first turn.
  Belief(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
         const BeliefOptions& options = {});

  /// Takes over one more turn. All histories that fit are followed while there are at most
  /// `options.most`; then a sample is drawn forward, and where few of it fit, histories are looked
  /// for depth-first from the initial state, so that the belief is only empty where the rules allow
  /// nothing that fits. After anything but Ok the belief is what it was before the call, which can
  /// be made again: Stopped where `stop` said so before any history was found that fits.
  gdl::Status advance(const KnownTurn& turn, const gdl::StopSignal& stop,
                      Match match = Match::GoesOn);
  /// Takes over what is missing of all that the role knows; begins anew where that is not what was
  /// taken over so far. After anything but Ok, a part of the turns has been taken over.
  gdl::Status follow(std::span<const KnownTurn> known, const gdl::StopSignal& stop);
  /// Goes on with another machine of the same match; after anything but Ok with the old one.
  gdl::Status change_machine(std::shared_ptr<const gdl::Machine> machine,
                             const gdl::StopSignal& stop);

  /// Whether the rules allow nothing that fits: the last turn can't be. It stays so.
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Whether these are all histories that fit.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] std::size_t size() const { return histories_.size(); }
  /// Those taken over.
  [[nodiscard]] std::size_t turns() const { return turns_.size(); }
  /// Valid until the next call that is not const, as all that follow.
  [[nodiscard]] gdl::StateView state(std::size_t i) const { return histories_.states[i]; }
  /// Joint moves since the initial state, behind one another (roles a turn).
  [[nodiscard]] std::span<const gdl::MoveId> history(std::size_t i) const {
    return histories_.history(i);
  }
  /// Legal moves, ascending; none where the game is over.
  [[nodiscard]] std::span<const gdl::MoveId> legal(std::size_t i, gdl::RoleIndex role) const {
    return histories_.legal(i, role);
  }
  /// A hash of all that any role knows where this history came to pass (knowledge.h).
  [[nodiscard]] std::uint64_t known_by(std::size_t i, gdl::RoleIndex role) const {
    return histories_.known_by(i, role);
  }
  /// They add up to 1.
  [[nodiscard]] double weight(std::size_t i) const { return histories_.weights[i]; }
  /// All of this at once.
  [[nodiscard]] const Histories& histories() const { return histories_; }
  /// A history by chance, by the weights. Not of an empty belief.
  [[nodiscard]] std::size_t draw(gdl::Rng& rng) const { return at(rng.uniform()); }
  /// The one at this share of the sum of all weights, 0..1.
  [[nodiscard]] std::size_t at(double share) const { return lots_.at(share); }

  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& machine() const { return machine_; }
  [[nodiscard]] gdl::RoleIndex role() const { return role_; }

 private:
  gdl::Status begin(const gdl::StopSignal* stop);
  [[nodiscard]] std::unique_ptr<gdl::Machine::Context> make_context(
      const gdl::Machine& machine, const gdl::StopSignal* stop) const {
    return machine.make_context({.stop = stop, .memory = options_.memory});
  }
  [[nodiscard]] gdl::Status settle(Histories found, bool exact);

  std::shared_ptr<const gdl::Machine> machine_;
  gdl::RoleIndex role_;
  BeliefOptions options_;
  gdl::Rng rng_;
  std::vector<KnownTurn> turns_;
  Histories histories_;
  WeightedLots lots_;  // [history]
  bool exact_ = true;
  std::unique_ptr<gdl::HeldMemory> held_ = std::make_unique<gdl::HeldMemory>();
};

}  // namespace ludens::search::hidden
