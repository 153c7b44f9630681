// SPDX-License-Identifier: MIT
// Finds what one player can reach, by depth-first search with a table of the states seen.
#pragma once

#include <memory>
#include <vector>

#include "search/tree/depth_first.h"
#include "search/tree/state_map.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

/// For games of one role. The value of the root is the best goal among the ends that can be
/// reached, and no state needs to be searched twice to find it. Time and space are linear in the
/// number of states.
class ReachSearch final : public TreeSearch {
 public:
  /// A goal of `threshold` is enough. `memory` may be null; when it is used up, states that can't
  /// be stored are not searched, and the value is not exact. `play`, which must outlive it: a play
  /// from the root found before, or nothing; the first of the best that are found replaces it. As
  /// long as no play is better it is continued, so that moves don't lead into a cycle.
  ReachSearch(double threshold, gdl::MemoryBudget* memory, std::vector<gdl::MoveId>& play)
      : threshold_(threshold), seen_(memory), play_(play) {}
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  friend bool depth_first<ReachSearch>(GameTree&, ReachSearch&);
  Entered enter();
  gdl::MoveId next();
  void unknown() { complete_ = false; }
  void absorb() {}
  void leave();

  bool follow_play();
  bool is_new();
  Entered reach_end();
  void improve(double goal);
  void record_no_end();

  double threshold_;
  StateMap seen_;  // with the least depth at which the state was seen
  std::vector<gdl::MoveId>& play_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;
  std::vector<std::uint32_t> next_;  // [open node]: the next of its moves to search
  std::vector<int> goals_;
  double best_ = -1;
  bool complete_ = true;  // everything that can be reached was searched, or need not be
};

}  // namespace ludens::search
