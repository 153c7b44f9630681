// SPDX-License-Identifier: MIT
// What a tree says about the move at its root.
#pragma once

#include "search/strategy/incumbent.h"
#include "search/value/worker.h"

namespace ludens::search::value {

/// How moves are rated and the answer is chosen, without using the random numbers of the search.
struct AnswerRule {
  bool first_ties = false;  // the first of equals; otherwise a random one
  std::uint64_t seed = 0;
  float minimax_share = 0.5F;  // as in `SelectionRules`
};

/// The choice of the role that thinks: a move that is proved to be as good as the best; otherwise,
/// of those that are not proved to be worth less than another, the most visited, then the one with
/// the highest value. Of several moves with the same proved value that is not a win, the one after
/// which the others can make the most mistakes. The caller must have exclusive use of the search,
/// and the tree must have a root.
Choice report(const SharedSearch& search, const AnswerRule& rule);

}  // namespace ludens::search::value
