// SPDX-License-Identifier: MIT
// What selection depends on: exploration, bounds, and knowledge from elsewhere in the search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "search/mcts/move_statistics.h"

namespace ludens::search::mcts {

class Grave;
class MoveTable;
class NGrams;
class Node;

/// The bias of a move in addition to its own visits: it counts as if it had this many more visits,
/// worth the node's mean each, plus `gain` in total; `bonus` is added to its score.
struct MoveBias {
  float visits = 0, gain = 0, bonus = 0;
};

/// A move that a role made.
struct Turn {
  std::uint32_t role;
  gdl::MoveId move;
};

/// What is known about the path to a node.
struct Path {
  const MoveTable* reference = nullptr;  // of `Grave`, of the nearest node that has one
  std::optional<Turn> last;              // of the only role that had a choice
};

/// By what of its proof number a move gains: see `proof_numbers.h`.
enum class ProofBias : std::uint8_t { Rank, Max, Sum };

/// The goals to which proof numbers refer: see `proof_numbers.h`.
struct ProofGoals {
  float weight = 0;  // of the bias, in the UCB score; 0: they are ignored
  ProofBias bias = ProofBias::Rank;
  std::vector<std::uint8_t> goals;  // [role]; empty: 100
};

/// What guides a search: nothing, by default. Not used where several roles have a choice.
struct Guides {
  const Grave* grave = nullptr;
  const NGrams* ngrams = nullptr;
  ProofGoals proofs;
  [[nodiscard]] bool by_path() const { return grave != nullptr || ngrams != nullptr; }
  [[nodiscard]] bool any() const { return by_path() || proofs.weight > 0; }
};

/// How a role chooses if several have a choice simultaneously: see `simultaneous.h`.
enum class SimultaneousRule : std::uint8_t { Uct, Regret, Exp3 };

/// The rules by which a descent chooses.
struct SelectionPolicy {
  double gamma = 0.4;
  std::vector<float> spread;  // [role] what `gamma` is multiplied by; empty: nothing
  bool first_ties = false;    // of equals, the first in the order of the legal moves is taken
  bool use_bounds = true;     // moves that are proved to be worse are skipped
  /// A node that is proved, at which moves that may be worth as much as the best are not skipped
  /// before they are proved, too; null: none. Only compared.
  const Node* equals_at = nullptr;
  bool noisy_results = false;  // results depend on chance or on simultaneous moves
  std::optional<gdl::RoleIndex> random;
  std::uint32_t depth = 0;  // cap on the length of a descent; 0: none
  std::uint8_t epoch = 0;   // of the machine in use
  SimultaneousRule simultaneous = SimultaneousRule::Uct;
  double mixing = 0.1;  // share of moves that the other rules draw uniformly
  /// At a node visited n times about `widening` * sqrt(n) moves are tried, as long as there is
  /// something left to find out about these (progressive widening: Coulom 2007); 0: all are tried
  /// before any is repeated.
  double widening = 0;
  std::shared_ptr<const MoveMeans> move_means;  // the best are tried first; null: in any order
  Guides guides;
};

}  // namespace ludens::search::mcts
