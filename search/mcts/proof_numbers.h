// SPDX-License-Identifier: MIT
// Proof and disproof numbers in the tree: they show where a forced end is closest to a proof.
#pragma once

#include <vector>

#include "search/mcts/candidates.h"
#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// PN-MCTS (Doe, Winands, Kowalski, Soemers, Gorski and Browne 2022), for two adversaries that take
/// turns. An edge stores, for each of the two, how many leaves must at least turn out well to prove
/// that it gets its goal (`ProofGoals`: the best that it can still hope for) after the move. Each
/// number is the proof number of one role's statement and serves as the disproof number of the
/// other's. The role that decides has the minimum over its moves, the other the sum, where a move
/// without a child counts as one leaf (Allis, van der Meulen and van den Herik 1994).
///
/// The numbers of a node for both roles, from its bounds or otherwise from its edges. The node must
/// be held.
ProofNumbers proof_numbers_of(const Graph& graph, const Node& node, const ProofGoals& goals);

/// Ranks the moves of a role by its own numbers. The object is reused.
class ProofRanks {
 public:
  /// What UCT-PN adds to the scores of the role that decides: `weight` times (1 - rank), where the
  /// rank goes from 0 to 1 and equal moves have the same rank. Moves that `candidates` does not
  /// admit are not ranked.
  void add_bonus(std::span<const Edge> edges, std::span<const ProofNumbers> proof_numbers,
                 gdl::RoleIndex role, const Candidates& candidates, float weight,
                 std::span<MoveBias> biases);

 private:
  std::vector<std::uint32_t> numbers_, ranks_;  // [place]
};

}  // namespace ludens::search::mcts
