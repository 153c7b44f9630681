// SPDX-License-Identifier: MIT
#include "search/puzzle/deepening.h"

#include <algorithm>

namespace ludens::search::puzzle {

Deepening::Deepening(SearchProblem& problem, double weight, Estimate& estimate)
    : problem_(problem),
      weight_(weight),
      estimate_(estimate),
      walker_(problem.machine().walker(problem.context())) {}

Ended Deepening::run() {
  for (;;) {
    if (problem_.solved()) return Ended::Solved;
    if (depth_ == 0) {
      if (next_bound_ == Estimate::kNever) {
        const bool all = complete_ && !problem_.gaps;
        return all ? Ended::Exhausted : Ended::Limited;
      }
      if (start() == gdl::Status::Stopped) return Ended::Stopped;
    }
    Frame& frame = path_[depth_ - 1];
    if (frame.next == frame.moves.size()) {
      if (--depth_ == 0) continue;
      walker_->undo();
      line_.pop_back();
      continue;
    }
    if (problem_.stopped()) return Ended::Stopped;  // the next run continues here
    const gdl::Status status = enter(frame.moves[frame.next++]);
    if (status == gdl::Status::Stopped) {
      // The walker may be anywhere: this bound starts again.
      depth_ = 0;
      next_bound_ = bound_;
      return Ended::Stopped;
    }
    ++problem_.states;  // only now: a stop at a number of states comes between two moves
  }
}

/// The root, under the next bound.
gdl::Status Deepening::start() {
  if (walker_->reset(problem_.root()) == gdl::Status::Stopped) return gdl::Status::Stopped;
  bound_ = next_bound_;
  next_bound_ = Estimate::kNever;
  complete_ = true;
  line_.clear();
  if (path_.empty()) path_.emplace_back();
  Frame& root = path_[0];
  root.key = gdl::hash(problem_.root());
  root.moves.assign(problem_.root_moves().begin(), problem_.root_moves().end());
  root.next = 0;
  depth_ = 1;
  return gdl::Status::Ok;
}

/// Makes the move and stays there if the new state must be searched.
gdl::Status Deepening::enter(gdl::MoveId move) {
  if (path_.size() == depth_) path_.emplace_back();
  Frame& frame = path_[depth_];
  if (const auto status = walker_->step(gdl::JointMove(&move, 1)); status != gdl::Status::Ok) {
    complete_ = false;
    return status;
  }
  line_.push_back(move);
  bool terminal = false;
  int goal = 0;
  gdl::Status status = walker_->terminal(terminal);
  if (status == gdl::Status::Ok) {
    status = terminal ? walker_->goals({&goal, 1}) : walker_->legal(0, frame.moves);
  }
  if (status == gdl::Status::Stopped) return status;
  if (status == gdl::Status::OverBudget) complete_ = false;
  if (status == gdl::Status::Ok && terminal) problem_.offer(goal, line_);
  if (status == gdl::Status::Ok && !terminal && within_bound(frame)) {
    ++depth_;
    problem_.deepest = std::max(problem_.deepest, static_cast<std::uint32_t>(line_.size()));
    return status;
  }
  walker_->undo();
  line_.pop_back();
  return status;
}

/// Whether the walker's state must be searched under this bound.
bool Deepening::within_bound(Frame& frame) {
  if (line_.size() >= problem_.most_moves) {
    complete_ = false;
    return false;
  }
  const gdl::StateView state = walker_->state();
  const double cost = static_cast<double>(depth_) + weight_ * estimate_.moves(state);
  frame.key = gdl::hash(state);
  frame.next = 0;
  if (recurs(frame.key)) return false;
  if (cost <= bound_) return true;
  next_bound_ = std::min(next_bound_, cost);
  return false;
}

bool Deepening::recurs(const gdl::StateHash& key) const {
  const auto path = std::span(path_).first(depth_);
  return std::ranges::find(path, key, &Frame::key) != path.end();
}

}  // namespace ludens::search::puzzle
