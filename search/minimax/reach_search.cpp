// SPDX-License-Identifier: MIT
#include "search/minimax/reach_search.h"

#include <algorithm>
#include <utility>

namespace ludens::search {

TreeSearch::Outcome ReachSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  tree_ = &tree;
  root_ = &root;
  limit_ = depth;
  goals_.resize(tree.machine().role_count());
  root.start_iteration(false);
  if (!follow_play() || !depth_first(tree, *this)) return Outcome::Stopped;
  if (complete_ && best_ < 0) record_no_end();
  if (complete_) root.limit(best_);
  root.finish_iteration(tree);
  return complete_ ? Outcome::Complete : Outcome::Cut;
}

/// Takes the end of the play found before, if it leads to one, as the best so far. False when
/// stopped.
bool ReachSearch::follow_play() {
  const std::vector<gdl::MoveId> play = std::exchange(play_, {});
  gdl::Status status = gdl::Status::Ok;
  for (const gdl::MoveId move : play) {
    if (tree_->terminal() || (status = tree_->open()) != gdl::Status::Ok) break;
    if (!std::ranges::binary_search(tree_->moves(), move)) break;
    if ((status = tree_->down(move)) != gdl::Status::Ok) break;
  }
  bool stopped = status == gdl::Status::Stopped;
  if (!play.empty() && tree_->depth() == play.size() && tree_->terminal()) {
    stopped = reach_end() == Entered::Stopped;
  }
  while (tree_->depth() > 0) tree_->up();
  return !stopped;
}

Entered ReachSearch::enter() {
  Arrival arrival = arrive(*tree_, limit_);
  if (arrival == Arrival::Branch) {
    if (!is_new()) return Entered::Leaf;
    arrival = open_branch(*tree_);
  }
  if (arrival == Arrival::Stopped) return Entered::Stopped;
  if (arrival == Arrival::Terminal) return reach_end();
  if (arrival == Arrival::Branch) {
    next_.push_back(0);
    return Entered::Branch;
  }
  if (arrival != Arrival::Recurrence) complete_ = false;
  return Entered::Leaf;
}

bool ReachSearch::is_new() {
  const auto depth = static_cast<std::uint32_t>(tree_->depth());
  if (std::uint32_t* seen = seen_.find(tree_->key())) {
    // If it was seen at a greater depth, the depth cap may have cut off what can be reached from
    // here.
    if (depth >= *seen || limit_ == kDeepest) return false;
    *seen = depth;
    return true;
  }
  if (seen_.insert(tree_->key(), depth)) return true;
  complete_ = false;
  return false;
}

Entered ReachSearch::reach_end() {
  const gdl::Status status = tree_->goals(goals_);
  if (status == gdl::Status::Stopped) return Entered::Stopped;
  if (status == gdl::Status::Ok) {
    improve(goals_[tree_->first()]);
  } else {
    complete_ = false;
  }
  return Entered::Leaf;
}

void ReachSearch::improve(double goal) {
  if (goal <= best_) return;
  best_ = goal;
  std::vector<gdl::MoveId> line;
  for (std::size_t depth = 0; depth < tree_->depth(); ++depth) {
    const gdl::JointMove made = tree_->joint_move(depth);
    line.insert(line.end(), made.begin(), made.end());
  }
  std::size_t first = 0;
  while ((*root_)[first] != line.front()) ++first;
  root_->record(first, {goal, goal, 100}, line, *tree_);
  play_ = std::move(line);
}

/// No play ends, so all moves are worth the same.
void ReachSearch::record_no_end() {
  best_ = kNeverEnds;
  root_->record(0, Backup::exact(kNeverEnds), {}, *tree_);
}

gdl::MoveId ReachSearch::next() {
  std::uint32_t& at = next_.back();
  if (at == tree_->moves().size() || best_ >= threshold_) return gdl::kNoMove;
  const gdl::MoveId move = next_.size() == 1 ? (*root_)[at] : tree_->moves()[at];
  ++at;
  return move;
}

void ReachSearch::leave() {
  if (next_.back() < tree_->moves().size() && best_ < 100) complete_ = false;
  next_.pop_back();
}

}  // namespace ludens::search
