// SPDX-License-Identifier: MIT
// What can be known about a game in addition to the moves: optional knowledge, in the same terms
// for every game.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

/// Proved for every state that can be reached from the initial one, in ids of the vocabulary. All
/// of it may be missing: an empty list says nothing. Fluents that legal moves, end and goals don't
/// depend on do not appear.
struct Structure {
  /// Fluents of which at most one holds in any state: the values of a cell, the steps of a clock.
  struct Exclusion {
    std::vector<FluentId> fluents;  // ascending, at least two
    bool always_one = false;        // exactly one holds
    friend bool operator==(const Exclusion&, const Exclusion&) = default;
  };
  /// An independent part of the game: the next values of its fluents, and whether its moves are
  /// legal, depend on nothing outside. End and goals may depend on several parts.
  struct Factor {
    std::vector<FluentId> fluents;                    // ascending
    std::vector<std::pair<RoleIndex, MoveId>> moves;  // ascending; none: a clock
    friend bool operator==(const Factor&, const Factor&) = default;
  };
  /// A function of fluents, as AND gates in an order of evaluation. Nodes are the fluents, then the
  /// gates; an edge is `node * 2 + inverted`.
  struct Condition {
    std::vector<FluentId> fluents;      // ascending
    std::vector<std::uint32_t> inputs;  // edges to older nodes, of all gates, stored contiguously
    std::vector<std::uint32_t> begin;   // [gate], one more at the end
    std::uint32_t result = 0;           // edge
    friend bool operator==(const Condition&, const Condition&) = default;
  };
  /// Holds exactly when all conditions of one of these hold. A condition depends on one factor if
  /// it could be decomposed that far.
  using Alternatives = std::vector<std::vector<Condition>>;
  /// What decides whether a role gets a goal value.
  struct GoalValue {
    int value;
    std::vector<FluentId> fluents;             // ascending: the goal is a function of these
    std::optional<Alternatives> alternatives;  // nullopt: too large, or recursive
    friend bool operator==(const GoalValue&, const GoalValue&) = default;
  };
  /// A fluent, and a number of steps: it holds in no play before that step. Exact unless negation
  /// or conflicts between moves delay the fluent.
  struct Earliest {
    FluentId fluent;
    std::uint32_t step;  // 0: initially
    friend bool operator==(const Earliest&, const Earliest&) = default;
  };

  std::vector<Exclusion> exclusions;  // a fluent may be in several
  std::vector<Factor> factors;        // the largest first; each fluent in one
  /// [role]: the fluent without which the role has at most one legal move.
  std::vector<std::optional<FluentId>> control;
  std::vector<std::vector<GoalValue>> goals;  // [role], values ascending
  /// [role]: the factors on which a goal of the role depends, ascending.
  std::vector<std::vector<std::uint32_t>> goal_factors;
  std::vector<std::uint32_t> end_factors;
  std::optional<Alternatives> end;  // when the game is over; nullopt: too large, or recursive
  /// Relaxed reachability: what may ever hold, by ascending id.
  std::vector<Earliest> reachable;
};

}  // namespace ludens::gdl
