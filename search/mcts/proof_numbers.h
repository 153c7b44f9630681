// SPDX-License-Identifier: MIT
// Proof and disproof numbers in the tree: where a forced end is nearest to being proved.
#pragma once

#include <vector>

#include "search/mcts/candidates.h"
#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// PN-MCTS (Doe, Winands, Kowalski, Soemers, Gorski and Browne 2022), for two adversaries in turn.
/// An edge keeps, for each of the two, how many leaves at least must turn out well to prove that it
/// gets its goal (`ProofGoals`: the best that it can still hope for) after the move: one number is
/// the proof number of one statement and serves as the disproof number of the other's. The role
/// that decides has the least of its moves', the other the sum of them, a move without a child
/// counting as one leaf (Allis, van der Meulen and van den Herik 1994).
///
/// The number of a node for both, from its bounds or else from its edges. The node is held.
ProofNumbers proof_numbers_of(const Graph& graph, const Node& node, const ProofGoals& goals);

/// Ranks the moves of a role by its own numbers. Kept to be used again.
class ProofRanks {
 public:
  /// What UCT-PN adds to the scores of the role that decides: `weight` times one less the move's
  /// rank, which goes from 0 to 1; equals have one rank. Moves that `candidates` does not admit are
  /// not ranked.
  void add_bonus(std::span<const Edge> edges, std::span<const ProofNumbers> proof_numbers,
                 gdl::RoleIndex role, const Candidates& candidates, float weight,
                 std::span<MoveBias> biases);

 private:
  std::vector<std::uint32_t> numbers_, ranks_;  // [place]
};

}  // namespace ludens::search::mcts
