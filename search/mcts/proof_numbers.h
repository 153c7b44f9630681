// SPDX-License-Identifier: MIT
// Proof numbers in the tree: they show where a forced end is closest to a proof.
#pragma once

#include <vector>

#include "search/mcts/candidates.h"
#include "search/mcts/graph.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// The number of a role that can't get its goal.
inline constexpr std::uint32_t kNeverProved = ~std::uint32_t{0};

/// PN-MCTS (Doe, Winands, Kowalski, Soemers, Gorski and Browne 2022), generalized to any number of
/// roles (GPN-MCTS: Kowalski, Soemers, Kosakowski and Winands 2025). An edge stores, for each role,
/// how many leaves must at least turn out well to prove that it gets its goal (`ProofGoals`: the
/// best that it can still hope for) after the move, whatever the others do. So no disproof numbers
/// are needed. The role that decides has the minimum over its moves, each other role the sum, where
/// a move without a child counts as one leaf (Allis, van der Meulen and van den Herik 1994).
///
/// Finds the numbers [role] of a node: by its bounds 0 or `kNeverProved`, otherwise from its edges;
/// 1 where several roles choose at once. `goals` [role]; empty: 100. The node must be held.
void find_proof_numbers(const Graph& graph, const Node& node, std::span<const std::uint8_t> goals,
                        std::span<std::uint32_t> numbers);

/// What the role that decides adds to the scores of its moves, by its own numbers. The object is
/// reused.
class ProofBonus {
 public:
  /// Adds `weight` times a share in 0..1, which equal moves have in common:
  ///
  ///     Rank    1 - rank / last rank                       ranks from 0
  ///     Max     1 - (number - least) / (1 + most - least)
  ///     Sum     1 - number / (1 + sum)
  ///
  /// Least, most and sum are those of the numbers that are not `kNeverProved`, whose moves have 0.
  /// Rank (2022) needs an edge for each move, and does not rank those that `candidates` does not
  /// admit. Max and Sum (2025) count an untried move as one leaf. `biases` are those of the moves
  /// with an edge, then of any number of others.
  void add(const Graph& graph, const Node& node, const Candidates& candidates, ProofBias bias,
           float weight, std::span<MoveBias> biases);

 private:
  void add_ranks(float weight, std::span<MoveBias> biases);

  std::vector<std::uint32_t> numbers_, ranks_;  // [place]
};

}  // namespace ludens::search::mcts
