// SPDX-License-Identifier: MIT
// What a tree says about the move at its root.
#pragma once

#include "search/strategy/incumbent.h"
#include "search/value/worker.h"

namespace ludens::search::value {

/// How the answer is found among equals, without drawing on the chance of the search.
struct AnswerRule {
  bool first_ties = false;  // the first; else by lot
  std::uint64_t seed = 0;
};

/// The choice of the role that thinks: a move that is proved as good as the best; else, of those
/// that are not proved to be worth less than another, the most visited, then the one worth most. Of
/// several that are proved to be worth the same, but no win, the one after which the others can go
/// wrong most. The caller has the search for itself; the tree has a root.
Choice report(const SharedSearch& search, const AnswerRule& rule);

}  // namespace ludens::search::value
