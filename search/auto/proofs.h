// SPDX-License-Identifier: MIT
// Combines what several searches proved about the moves of one position.
#pragma once

#include <span>
#include <vector>

#include "search/strategy/incumbent.h"

namespace ludens::search {

/// Bounds of the root moves, each the tightest that any search gave.
class Proofs {
 public:
  /// Starts with another position: nothing is proved.
  void clear() { moves_.clear(); }
  /// Adds the bounds of a search's root moves: the lower ones, which the role can force, and the
  /// upper ones only if the search was right to assume that the others will do their worst.
  void add(std::span<const RootMove> root, bool with_upper);

  /// Tightens the bounds of a choice's root moves and chooses another move if that is better: one
  /// that is sure to give `threshold`, or at least what the chosen one is worth on average; or, if
  /// the chosen one is proved to be worse than another, the most visited move that is not.
  void improve(Choice& choice, double threshold) const;

 private:
  void tighten(RootMove& move) const;

  std::vector<RootMove> moves_;  // values and visits unused
};

}  // namespace ludens::search
