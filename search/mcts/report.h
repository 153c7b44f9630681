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

/// The choice for the role that thinks. A move proved to be worth `threshold` or more comes first.
/// Otherwise it is the most visited move that is not refuted, the best mean among equals; or a move
/// whose proved value is no less than that mean. If that move is proved to lose, it is the one that
/// loses latest of those proved to be worth as little (`LossDistance`). If the root is proved to be
/// neither won nor lost, it is the move after which the others can make the most mistakes. If
/// others move simultaneously and the move is not safe against all their answers, a mixed answer is
/// drawn from the statistics. The caller must have exclusive use of the search, and the tree must
/// have a root.
Choice report(const SharedSearch& search, const AnswerRule& rule);

/// The joint moves most visited, from the root down, with `move` as the first of `role`.
std::vector<gdl::MoveId> principal_variation(const Graph& graph, gdl::RoleIndex role,
                                             gdl::MoveId move);

}  // namespace ludens::search::mcts
