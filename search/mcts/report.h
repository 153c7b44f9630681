// SPDX-License-Identifier: MIT
// What a tree says about the move at its root.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/worker.h"
#include "search/strategy/incumbent.h"

namespace ludens::search::mcts {

/// How the answer is found in what the tree says, without drawing on the chance of the search.
struct AnswerRule {
  bool first_ties = false;  // of equals the first; else by lot
  bool mixed = false;       // where roles move at once, the answer may be drawn
  std::uint64_t seed = 0;
};

/// The choice of the role that thinks: a move that is proved as good as the best; else the most
/// visited, then the best on average, of those that are not proved to be worse than another; or one
/// whose proved value is as good as that. Where others move at the same time and that move is not
/// safe, whatever they do, a mixed answer is drawn from what the search did. The caller has the
/// search for itself; the tree has a root.
Choice report(const SharedSearch& search, const AnswerRule& rule);

/// The joint moves most visited, from the root down, with `move` as the first of `role`.
std::vector<gdl::MoveId> principal_variation(const Graph& graph, gdl::RoleIndex role,
                                             gdl::MoveId move);

}  // namespace ludens::search::mcts
