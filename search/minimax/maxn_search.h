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
/// 1986). In a state where several roles move at once they decide in turns, the searching role
/// first, as `GameTree` has it. A value is exact under the assumption that the others choose so.
class MaxnSearch final : public TreeSearch {
 public:
  /// `trace` may be null.
  MaxnSearch(std::unique_ptr<Evaluation> evaluation, SearchTrace* trace);
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
  [[nodiscard]] Frame& top() { return frames_[open_ - 1]; }

  std::unique_ptr<Evaluation> evaluation_;
  SearchTrace* trace_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;
  std::vector<Frame> frames_;  // the first open_ are the stack; the others keep their buffers
  std::size_t open_ = 0;
  std::vector<double> settled_;  // value of the node entered or left last
  bool settled_complete_ = true;
  std::vector<gdl::MoveId> settled_line_;
  gdl::MoveId last_move_ = gdl::kNoMove;
  std::vector<int> goals_;
};

}  // namespace ludens::search
