// What speaks for a move beside its own visits: knowledge from elsewhere in the search.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gdl/machine/vocabulary.h"

namespace ludens::search::mcts {

class Grave;
class MoveTable;
class NGrams;

/// Counts as if the move had had so many more visits, worth the node's mean and `gain` all told;
/// `bonus` is added to its score.
struct Lean {
  float visits = 0, gain = 0, bonus = 0;
};

/// A move that a role made.
struct Turn {
  std::uint32_t role;
  gdl::MoveId move;
};

/// What is known of the way to a node.
struct Way {
  const MoveTable* reference = nullptr;  // of `Grave`, of the nearest node that has one
  std::optional<Turn> last;              // of the only role that had a choice
};

/// By which goals proof numbers go: see `proof_numbers.h`.
struct ProofGoals {
  float weight = 0;  // of the rank, in the UCB score; 0: they are not looked at
  std::array<std::uint8_t, 2> goals{100, 100};  // [role]
};

/// What a search is guided by: nothing, by default. Where several roles have a choice it is not.
struct Guides {
  const Grave* grave = nullptr;
  const NGrams* ngrams = nullptr;
  ProofGoals proofs;
  [[nodiscard]] bool by_way() const { return grave != nullptr || ngrams != nullptr; }
  [[nodiscard]] bool any() const { return by_way() || proofs.weight > 0; }
};

}  // namespace ludens::search::mcts
