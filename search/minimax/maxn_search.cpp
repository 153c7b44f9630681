#include "search/minimax/maxn_search.h"

#include <algorithm>
#include <limits>

#include "search/strategy/first_choice.h"
#include "search/tree/record.h"

namespace ludens::search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

MaxnSearch::MaxnSearch(std::unique_ptr<Evaluation> evaluation, SearchTrace* trace)
    : evaluation_(std::move(evaluation)), trace_(trace) {}

TreeSearch::Outcome MaxnSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  tree_ = &tree;
  root_ = &root;
  limit_ = depth;
  open_ = 0;
  last_move_ = gdl::kNoMove;
  settled_.resize(tree.machine().role_count());
  goals_.resize(settled_.size());
  if (trace_ != nullptr) trace_->clear();
  root.start_iteration(true);
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  return settled_complete_ ? Outcome::Complete : Outcome::Cut;
}

Entered MaxnSearch::enter() {
  Arrival arrival = arrive(*tree_, limit_);
  if (arrival == Arrival::Branch) arrival = open_branch(*tree_);
  if (arrival == Arrival::Branch) return branch();
  if (!settle(arrival)) return Entered::Stopped;
  settled_line_.clear();
  if (trace_ != nullptr) {
    trace_->enter(trace_node(*tree_, leaf_kind(arrival), last_move_, -kInfinity, kInfinity));
    trace_->leave(settled_);
  }
  return Entered::Leaf;
}

bool MaxnSearch::settle(Arrival arrival) {
  settled_complete_ = arrival == Arrival::Terminal || arrival == Arrival::Recurrence;
  std::ranges::fill(settled_, settled_complete_ ? kNeverEnds : kUnknownValue);
  if (arrival == Arrival::Stopped) return false;
  if (arrival == Arrival::Terminal) return settle_goals();
  return arrival != Arrival::Horizon || settle_estimate();
}

bool MaxnSearch::settle_goals() {
  const gdl::Status status = tree_->goals(goals_);
  if (status == gdl::Status::Ok) std::ranges::copy(goals_, settled_.begin());
  return status != gdl::Status::Stopped;
}

bool MaxnSearch::settle_estimate() {
  if (evaluation_->exhausted()) return false;
  const gdl::Status status = evaluation_->evaluate(*tree_, settled_);
  for (double& value : settled_) {
    value = Backup::estimate(status == gdl::Status::Ok ? value : kUnknownValue).value;
  }
  return status != gdl::Status::Stopped;
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
  if (frame.next == tree_->moves().size()) return gdl::kNoMove;
  last_move_ = open_ == 1 ? (*root_)[frame.next] : tree_->moves()[frame.next];
  ++frame.next;
  return last_move_;
}

void MaxnSearch::unknown() {
  std::ranges::fill(settled_, kUnknownValue);
  settled_complete_ = false;
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
  const Backup backup = settled_complete_ ? Backup::exact(value) : Backup{value, 0, 100};
  root_->record(frame.next - 1, backup, frame.line, *tree_);
}

void MaxnSearch::leave() {
  Frame& frame = top();
  if (frame.chance) {
    for (double& value : frame.value) value /= static_cast<double>(frame.next);
  }
  settled_.swap(frame.value);
  settled_complete_ = frame.complete;
  settled_line_.swap(frame.line);
  if (trace_ != nullptr) trace_->leave(settled_);
  --open_;
}

}  // namespace ludens::search
