// SPDX-License-Identifier: MIT
#include "search/minimax/two_sided.h"

#include <algorithm>

namespace ludens::search {

void TwoSidedSearch::begin(GameTree& tree, RootMoves& root, std::size_t depth) {
  tree_ = &tree;
  root_ = &root;
  limit_ = depth;
  cut_ = false;
  open_ = 0;
  last_move_ = gdl::kNoMove;
  if (trace_ != nullptr) trace_->clear();
}

void TwoSidedSearch::settle(Kind kind) {
  settled_line_.clear();
  if (trace_ == nullptr) return;
  trace_->enter(trace_node(*tree_, kind, last_move_, -kInfinity, kInfinity));
  trace_->leave({&settled_.value, 1});
}

void TwoSidedSearch::settle_unknown() {
  cut_ = true;
  leaves_.settle(*tree_, Arrival::Unknown, settled_);
  settled_line_.clear();
}

TwoSidedSearch::Frame& TwoSidedSearch::push(double alpha, double beta) {
  if (frames_.size() == open_) frames_.emplace_back();
  Frame& frame = frames_[open_++];
  const gdl::RoleIndex decider = tree_->decider();
  const bool chance = mean_ && tree_->machine().random_role() == decider;
  frame.kind = decider == tree_->first() ? Kind::Max : chance ? Kind::Chance : Kind::Min;
  frame.next = 0;
  frame.alpha = alpha;
  frame.beta = beta;
  frame.line.clear();
  if (frame.kind == Kind::Max) frame.best = Backup::before_max();
  if (frame.kind == Kind::Min) frame.best = Backup::before_min();
  if (frame.kind == Kind::Chance) frame.best = Backup::exact(0);
  if (trace_ != nullptr) {
    trace_->enter(trace_node(*tree_, frame.kind, last_move_, alpha, beta));
  }
  return frame;
}

bool TwoSidedSearch::take() {
  Frame& frame = top();
  const bool better = frame.kind == Kind::Max   ? frame.best.maximise(settled_)
                      : frame.kind == Kind::Min ? frame.best.minimise(settled_)
                                                : frame.best.add(settled_);
  if (better || at_root()) write_line(*tree_, settled_line_, frame.line);
  if (at_root()) root_->record(frame.next - 1, settled_, frame.line, *tree_);
  return better;
}

void TwoSidedSearch::pop(std::span<const gdl::MoveId> unseen) {
  Frame& frame = top();
  settled_ = frame.best;
  if (frame.kind == Kind::Max && !unseen.empty()) settled_.high = 100;
  if (frame.kind == Kind::Min && !unseen.empty()) settled_.low = 0;
  if (frame.kind == Kind::Chance) settled_.divide(static_cast<double>(frame.next));
  settled_.value = std::clamp(settled_.value, settled_.low, settled_.high);
  settled_line_.swap(frame.line);
  if (trace_ != nullptr) trace_->leave({&settled_.value, 1}, unseen);
  --open_;
}

}  // namespace ludens::search
