// Proof and disproof numbers in the tree: where a forced end is nearest to being proved.
#pragma once

#include <vector>

#include "search/mcts/graph.h"
#include "search/mcts/guides.h"

namespace ludens::search::mcts {

class Outlook;

/// PN-MCTS (Doe, Winands, Kowalski, Soemers, Gorski and Browne 2022), for two adversaries in turn.
/// An edge keeps, for each of the two, how many leaves at least must turn out well to prove that it
/// gets its goal (`ProofGoals`: the best that it can still hope for) after the move: one number is
/// the proof number of one statement and serves as the disproof number of the other's. The role
/// that decides has the least of its moves', the other the sum of them, a move without a child
/// counting as one leaf (Allis, van der Meulen and van den Herik 1994).
///
/// The number of a node for both, from its bounds or else from its edges. The node is held.
Effort effort_of(const Graph& graph, const Node& node, const ProofGoals& goals);

/// Ranks the moves of a role by its own numbers. Kept to be used again.
class ProofRanks {
 public:
  /// What UCT-PN adds to the scores of the role that decides: `weight` times one less the move's
  /// rank, which goes from 0 to 1; equals have one rank. Moves that `outlook` does not admit are
  /// not ranked.
  void lean(std::span<const Edge> edges, std::span<const Effort> efforts, gdl::RoleIndex role,
            const Outlook& outlook, float weight, std::span<Lean> leans);

 private:
  std::vector<std::uint32_t> numbers_, ranks_;  // [place]
};

}  // namespace ludens::search::mcts
