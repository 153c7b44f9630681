// SPDX-License-Identifier: MIT
// Makes histories one turn longer, in batches, and keeps those that fit what a role knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/hidden/histories.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

/// Whether a match goes on after a turn; every role knows that, whatever it perceives.
enum class MatchPhase : std::uint8_t { GoesOn, IsOver };

/// Joint moves that may have been made after histories of a set.
struct Proposals {
  std::vector<std::size_t> from = {};    // [proposal]: index of the history
  std::vector<gdl::MoveId> joints = {};  // [proposal * roles + role]
  std::vector<double> weights = {};      // [proposal]
  [[nodiscard]] std::size_t size() const { return from.size(); }
  void clear() {
    from.clear();
    joints.clear();
    weights.clear();
  }
};

/// Filters for one role. Owns the arrays of its batches. The machine and the context must outlive
/// it.
class TurnFilter {
 public:
  TurnFilter(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::RoleIndex role)
      : machine_(machine), context_(context), role_(role) {}

  /// Adds to `out` those proposals in which the role perceives what the turn says, and after which
  /// the match goes on or ends as `match` says; `kept` are their indices. Moves must be legal, and
  /// the role's move must be the turn's own move. After anything but Ok nothing was added.
  gdl::Status run(const Histories& before, const Proposals& proposals, const KnownTurn& turn,
                  MatchPhase match, Histories& out, std::vector<std::size_t>& kept);

 private:
  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  const gdl::RoleIndex role_;
  std::vector<gdl::StateMove> pairs_;
  std::vector<std::size_t> fitting_;
  gdl::Percepts percepts_;
  gdl::Expansion expansion_;
};

}  // namespace ludens::search::hidden
