// SPDX-License-Identifier: MIT
// Max^n: every role maximises its own goal.
#pragma once

#include <memory>
#include <vector>

#include "search/minimax/evaluation.h"
#include "search/strategy/trace.h"
#include "search/tree/backup.h"
#include "search/tree/depth_first.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

/// The value of a node is a vector, one goal per role. The role that decides takes the child in
/// which its own component is largest, the first of equals; `random` counts with the mean
/// (Luckhardt and Irani 1986). If nothing can surpass the best child of a node, the rest is not
/// searched:
///
/// * *immediate*: it has 100, the largest goal there is;
/// * *shallow* (Korf 1991): goals add up to no more than a known sum, so what the deciding role
///   already has limits what is left for the role above. If that is no more than the role above
///   already has, the rest is skipped, because the first of equals is taken. (Deeper in the tree
///   this does not hold: what is not wanted there may still make another node wanted.)
///
/// In a state where several roles move simultaneously they decide in turn, the searching role
/// first, as in `GameTree`. A value is exact under the assumption that the others choose in this
/// way.
class MaxnSearch final : public TreeSearch {
 public:
  /// `trace` may be null. `sum`: the goals of all roles never add up to more; 0: not known. If an
  /// end shows that they do, the sum is dropped and no result of that step counts as exact.
  MaxnSearch(std::unique_ptr<Evaluation> evaluation, bool prune, double sum, SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  friend bool depth_first<MaxnSearch>(GameTree&, MaxnSearch&);
  struct Frame {
    gdl::RoleIndex decider = 0;
    bool chance = false;
    bool complete = true;       // the value is exact: everything below was searched to the end
    std::uint32_t next = 0;     // the next of its moves to search
    std::vector<double> value;  // of the best child; Chance: the sum
    std::vector<gdl::MoveId> line;
  };
  Entered enter();
  gdl::MoveId next();
  void unknown();
  void absorb();
  void leave();

  Entered branch();
  /// False when stopped.
  bool settle(Arrival arrival);
  [[nodiscard]] bool settle_goals();
  [[nodiscard]] bool settle_estimate();
  void record_at_root();
  [[nodiscard]] bool is_cut(const Frame& frame) const;
  /// The node above takes a child only if it is worth more than this to `role`.
  [[nodiscard]] double bar_above() const;
  void check_sum();
  void scale_estimate();
  [[nodiscard]] Frame& top() { return frames_[open_ - 1]; }

  std::unique_ptr<Evaluation> evaluation_;
  bool prune_;
  double sum_;
  bool sum_held_ = true;  // in this step
  bool cut_ = false;      // something was not searched to its end
  SearchTrace* trace_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;
  std::vector<Frame> frames_;  // the first open_ are the stack; the others are kept for their
                               // buffers
  std::size_t open_ = 0;
  std::vector<double> settled_;  // value of the node entered or left last
  bool settled_complete_ = true;
  double settled_high_ = 100;  // an upper bound for the role that decides above
  std::vector<gdl::MoveId> settled_line_;
  gdl::MoveId last_move_ = gdl::kNoMove;
  std::vector<int> goals_;
};

}  // namespace ludens::search
