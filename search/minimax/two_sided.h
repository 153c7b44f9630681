// SPDX-License-Identifier: MIT
// What minimax and alpha-beta share: the stack of a search in which the searching role maximises
// and the others minimise its goal, the principal variation, and the trace.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "search/evaluation/leaf_values.h"
#include "search/tree/backup.h"
#include "search/tree/depth_first.h"
#include "search/tree/record.h"
#include "search/tree/root_moves.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

class TwoSidedSearch : public TreeSearch {
 protected:
  using Kind = TraceNode::Kind;
  /// A node that is being searched.
  struct Frame {
    Kind kind = Kind::Max;
    std::uint32_t next = 0;         // the next of its moves to search
    double alpha = 0, beta = 0;     // tightened as children return, if the search does that
    Backup best;                    // Chance: the sum
    std::vector<gdl::MoveId> line;  // joint moves of the best play below
  };

  /// `mean`: the role `random` counts with the mean of its moves, otherwise as one more opponent.
  /// `trace` may be null.
  TwoSidedSearch(std::unique_ptr<Evaluation> evaluation, bool mean, SearchTrace* trace)
      : leaves_(std::move(evaluation), mean), mean_(mean), trace_(trace) {}

  void begin(GameTree& tree, RootMoves& root, std::size_t depth);
  [[nodiscard]] Frame& top() { return frames_[open_ - 1]; }
  [[nodiscard]] bool is_empty() const { return open_ == 0; }
  [[nodiscard]] bool at_root() const { return open_ == 1; }

  /// The proved value that is enough below the root if `wanted` is enough there: where chance
  /// counts with its mean, every point below it counts.
  [[nodiscard]] double enough_below(double wanted) const {
    return mean_ && tree_->machine().random_role() ? std::max(wanted, 100.0) : wanted;
  }
  /// Records a leaf whose value is `settled_`.
  void settle(Kind kind);
  /// Pushes a node to search.
  Frame& push(double alpha, double beta);
  /// Merges the settled value into the top frame, whose bounds do not change; returns whether it is
  /// the best so far.
  bool take();
  /// Pops the top frame and settles its value; `unseen`: its moves that were not searched.
  void pop(std::span<const gdl::MoveId> unseen);
  /// Sets the value of a move that the machine can't make.
  void settle_unknown();

  LeafValues leaves_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;                  // states at this depth are on the horizon
  bool cut_ = false;                       // something was not searched to its end
  Backup settled_;                         // value of the node entered or left last
  std::vector<gdl::MoveId> settled_line_;  // the best play from there
  gdl::MoveId last_move_ = gdl::kNoMove;   // the move to the node that is entered next

 private:
  bool mean_;
  SearchTrace* trace_;
  std::vector<Frame> frames_;  // the first open_ are the stack; the others are kept for their
                               // buffers
  std::size_t open_ = 0;
};

}  // namespace ludens::search
