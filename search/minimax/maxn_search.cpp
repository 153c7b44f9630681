// SPDX-License-Identifier: MIT
#include "search/minimax/maxn_search.h"

#include <algorithm>
#include <numeric>

#include "search/strategy/first_choice.h"
#include "search/tree/backup.h"
#include "search/tree/record.h"

namespace ludens::search {

MaxnSearch::MaxnSearch(std::unique_ptr<Evaluation> evaluation, bool prune, double sum,
                       SearchTrace* trace)
    : evaluation_(std::move(evaluation)), prune_(prune), sum_(sum), trace_(trace) {}

TreeSearch::Outcome MaxnSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  tree_ = &tree;
  root_ = &root;
  limit_ = depth;
  open_ = 0;
  sum_held_ = true;
  cut_ = false;
  last_move_ = gdl::kNoMove;
  settled_.resize(tree.machine().role_count());
  goals_.resize(settled_.size());
  if (trace_ != nullptr) trace_->clear();
  root.start_iteration(true);
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  return cut_ || !sum_held_ ? Outcome::Cut : Outcome::Complete;
}

Entered MaxnSearch::enter() {
  Arrival arrival = arrive(*tree_, limit_);
  if (arrival == Arrival::Branch) arrival = open_branch(*tree_);
  if (arrival == Arrival::Branch) return branch();
  if (!settle(arrival)) return Entered::Stopped;
  settled_high_ = 100;
  settled_line_.clear();
  if (trace_ != nullptr) {
    trace_->enter(trace_node(*tree_, leaf_kind(arrival), last_move_, -kInfinity, kInfinity));
    trace_->leave(settled_);
  }
  return Entered::Leaf;
}

bool MaxnSearch::settle(Arrival arrival) {
  const bool recurs = arrival == Arrival::Recurrence, ends = arrival == Arrival::Terminal;
  // A mean over a cycle is below its limit.
  settled_complete_ = ends || (recurs && !tree_->recurs_by_chance());
  cut_ = cut_ || !(ends || recurs);
  std::ranges::fill(settled_, ends || recurs ? kNeverEnds : kUnknownValue);
  if (arrival == Arrival::Stopped) return false;
  if (arrival == Arrival::Terminal) return settle_goals();
  return arrival != Arrival::Horizon || settle_estimate();
}

bool MaxnSearch::settle_goals() {
  const gdl::Status status = tree_->goals(goals_);
  if (status == gdl::Status::Ok) std::ranges::copy(goals_, settled_.begin());
  check_sum();
  return status != gdl::Status::Stopped;
}

bool MaxnSearch::settle_estimate() {
  if (evaluation_->exhausted()) return false;
  const gdl::Status status = evaluation_->evaluate(*tree_, settled_);
  for (double& value : settled_) {
    value = Backup::estimate(status == gdl::Status::Ok ? value : kUnknownValue).value;
  }
  scale_estimate();
  return status != gdl::Status::Stopped;
}

void MaxnSearch::check_sum() {
  if (sum_ == 0 || std::accumulate(settled_.begin(), settled_.end(), 0.0) <= sum_) return;
  sum_ = 0;
  sum_held_ = false;
}

/// Estimates must respect the sum, too; otherwise cuts would depend on them.
void MaxnSearch::scale_estimate() {
  const double sum = std::accumulate(settled_.begin(), settled_.end(), 0.0);
  if (sum_ == 0 || sum <= sum_) return;
  for (double& value : settled_) value *= sum_ / sum;
}

double MaxnSearch::bar_above() const {
  const Frame& above = frames_[open_ - 2];
  if (open_ == 2) return root_->to_surpass(above.next - 1);
  return above.next > 1 ? above.value[above.decider] : -kInfinity;
}

bool MaxnSearch::is_cut(const Frame& frame) const {
  if (!prune_ || open_ == 1 || frame.chance || frame.next == 0) return false;
  const double mine = frame.value[frame.decider];
  if (mine >= 100) return true;
  const Frame& above = frames_[open_ - 2];
  if (sum_ == 0 || above.chance || above.decider == frame.decider) return false;
  return sum_ - mine <= bar_above();
}

Entered MaxnSearch::branch() {
  if (frames_.size() == open_) frames_.emplace_back();
  Frame& frame = frames_[open_++];
  frame.decider = tree_->decider();
  frame.chance = tree_->machine().random_role() == frame.decider;
  frame.complete = true;
  frame.next = 0;
  frame.value.assign(settled_.size(), 0);
  frame.line.clear();
  if (trace_ != nullptr) {
    const auto kind = frame.chance ? TraceNode::Kind::Chance : TraceNode::Kind::Max;
    trace_->enter(trace_node(*tree_, kind, last_move_, -kInfinity, kInfinity));
  }
  return Entered::Branch;
}

gdl::MoveId MaxnSearch::next() {
  Frame& frame = top();
  if (frame.next == tree_->moves().size() || is_cut(frame)) return gdl::kNoMove;
  last_move_ = open_ == 1 ? (*root_)[frame.next] : tree_->moves()[frame.next];
  ++frame.next;
  return last_move_;
}

void MaxnSearch::unknown() {
  std::ranges::fill(settled_, kUnknownValue);
  settled_complete_ = false;
  cut_ = true;
  settled_line_.clear();
}

void MaxnSearch::absorb() {
  Frame& frame = top();
  frame.complete = frame.complete && settled_complete_;
  if (frame.chance) {
    std::ranges::transform(frame.value, settled_, frame.value.begin(), std::plus<>{});
  } else if (open_ == 1) {
    return record_at_root();
  } else if (frame.next == 1 || settled_[frame.decider] > frame.value[frame.decider]) {
    frame.value = settled_;
    write_line(*tree_, settled_line_, frame.line);
  }
}

void MaxnSearch::record_at_root() {
  Frame& frame = top();
  const double value = settled_[frame.decider];
  if (value > root_->to_surpass(frame.next - 1)) frame.value = settled_;
  write_line(*tree_, settled_line_, frame.line);
  Backup backup{value, 0, 100};
  if (settled_complete_ && sum_held_) backup = {value, value, value};
  if (settled_high_ < 100 && backup.is_exact()) backup = {value, 0, settled_high_};
  root_->record(frame.next - 1, backup, frame.line, *tree_);
}

void MaxnSearch::leave() {
  Frame& frame = top();
  if (frame.chance) {
    for (double& value : frame.value) value /= static_cast<double>(frame.next);
  }
  const auto unseen = tree_->moves().subspan(open_ == 1 ? tree_->moves().size() : frame.next);
  settled_high_ = 100;
  if (!unseen.empty() && frame.value[frame.decider] < 100) {  // cut by the sum
    settled_high_ = sum_ - frame.value[frame.decider];
  }
  settled_.swap(frame.value);
  settled_complete_ = frame.complete;
  settled_line_.swap(frame.line);
  if (trace_ != nullptr) trace_->leave(settled_, unseen);
  --open_;
}

}  // namespace ludens::search
