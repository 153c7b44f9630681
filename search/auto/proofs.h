// SPDX-License-Identifier: MIT
// What several searches proved about the moves of one position, put together.
#pragma once

#include <span>
#include <vector>

#include "search/strategy/incumbent.h"

namespace ludens::search {

/// Bounds of the root moves, each the tightest that any search gave.
class Proofs {
 public:
  /// For another position: nothing is proved.
  void clear() { moves_.clear(); }
  /// Takes the bounds of a search's root moves: the lower ones, which the role can force; the upper
  /// ones only if the search was right that the others will do their worst.
  void add(std::span<const RootMove> root, bool with_upper);

  /// Tightens the bounds of a choice's root moves and takes another move where that is better: one
  /// that is sure to bring `threshold`, or at least what the chosen one is worth on the average;
  /// or, where the chosen one is proved to be worse than another, the most visited that is not.
  void improve(Choice& choice, double threshold) const;

 private:
  void tighten(RootMove& move) const;

  std::vector<RootMove> moves_;  // values and visits unused
};

}  // namespace ludens::search
