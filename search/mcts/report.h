// SPDX-License-Identifier: MIT
// What a tree says about the move at its root.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/worker.h"
#include "search/strategy/incumbent.h"

namespace ludens::search::mcts {

/// How the answer is chosen from the tree, without using the random numbers of the search.
struct AnswerRule {
  bool first_ties = false;  // the first of equals; otherwise a random one
  bool mixed = false;       // if roles move simultaneously, the answer may be drawn at random
  std::uint64_t seed = 0;
};

/// The choice of the role that thinks: a move that is proved to be as good as the best; otherwise
/// the most visited, then the best on average, of those that are not proved to be worse than
/// another; or one whose proved value is as good as that. If others move simultaneously and that
/// move is not safe against all their answers, a mixed answer is drawn from the statistics of the
/// search. The caller must have exclusive use of the search, and the tree must have a root.
Choice report(const SharedSearch& search, const AnswerRule& rule);

/// The joint moves most visited, from the root down, with `move` as the first of `role`.
std::vector<gdl::MoveId> principal_variation(const Graph& graph, gdl::RoleIndex role,
                                             gdl::MoveId move);

}  // namespace ludens::search::mcts
