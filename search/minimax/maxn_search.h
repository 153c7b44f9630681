// SPDX-License-Identifier: MIT
// Max^n: every role looks after itself.
#pragma once

#include <memory>
#include <vector>

#include "search/evaluation/evaluation.h"
#include "search/strategy/trace.h"
#include "search/tree/backup.h"
#include "search/tree/depth_first.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

/// A node is worth a vector, one goal a role; the role that decides takes the child whose own
/// component is largest, the first of equals; `random` counts with the mean (Luckhardt and Irani
/// 1986). Where nothing can surpass the best child of a node the rest is not looked at:
///
/// * *immediate*: it has 100, the largest goal there is;
/// * *shallow* (Korf 1991): goals add up to no more than a known sum, and what the role that
/// decides
///   has already leaves the role above less than, or as much as, that has. Of equals the first is
///   taken, so the node above does not want this one, whatever else is in it. (Deeper in the tree
///   that holds no more: what is not wanted there may still make another node wanted.)
///
/// In a state where several roles move at once they decide in turns, the searching role
/// first, as `GameTree` has it. A value is exact under the assumption that the others choose so.
class MaxnSearch final : public TreeSearch {
 public:
  /// `trace` may be null. `sum`: the goals of all roles never add up to more; 0: not known. If an
  /// end shows that they do, the sum is forgotten and nothing of that step is called exact.
  MaxnSearch(std::unique_ptr<Evaluation> evaluation, bool prune, double sum, SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  friend bool depth_first<MaxnSearch>(GameTree&, MaxnSearch&);
  struct Frame {
    gdl::RoleIndex decider = 0;
    bool chance = false;
    bool complete = true;       // all below was searched to the end
    std::uint32_t next = 0;     // the next of its moves to look at
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
  /// No child of the node above is taken unless it is worth more than this to `role`.
  [[nodiscard]] double bar_above() const;
  void check_sum();
  void scale_estimate();
  [[nodiscard]] Frame& top() { return frames_[open_ - 1]; }

  std::unique_ptr<Evaluation> evaluation_;
  bool prune_;
  double sum_;
  bool sum_held_ = true;  // in this step
  SearchTrace* trace_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;
  std::vector<Frame> frames_;  // the first open_ are the stack; the others keep their buffers
  std::size_t open_ = 0;
  std::vector<double> settled_;  // value of the node entered or left last
  bool settled_complete_ = true;
  double settled_high_ = 100;  // no more for the role that decides above
  std::vector<gdl::MoveId> settled_line_;
  gdl::MoveId last_move_ = gdl::kNoMove;
  std::vector<int> goals_;
};

}  // namespace ludens::search
