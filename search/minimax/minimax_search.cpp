// SPDX-License-Identifier: MIT
#include "search/minimax/minimax_search.h"

#include <algorithm>
#include <utility>

namespace ludens::search {

MinimaxSearch::MinimaxSearch(const MinimaxRules& rules, std::unique_ptr<Evaluation> evaluation,
                             SearchTrace* trace)
    : TwoSidedSearch(std::move(evaluation), rules.mean, trace), rules_(rules) {}

TreeSearch::Outcome MinimaxSearch::search(GameTree& tree, RootMoves& root, std::size_t depth) {
  begin(tree, root, depth);
  open_details_ = 0;
  enough_ = enough_below(rules_.enough);
  root.start_iteration(true);
  if (!depth_first(tree, *this)) return Outcome::Stopped;
  root.finish_iteration(tree);
  return cut_ ? Outcome::Cut : Outcome::Complete;
}

Entered MinimaxSearch::enter() {
  Arrival arrival = arrive(*tree_, limit_);
  if (arrival == Arrival::Branch) arrival = open_branch(*tree_);
  if (arrival == Arrival::Branch) {
    branch();
    return Entered::Branch;
  }
  if (!leaves_.settle(*tree_, arrival, settled_)) return Entered::Stopped;
  if (arrival == Arrival::Horizon || arrival == Arrival::Unknown) cut_ = true;
  settled_seen_ = Seen::All;
  settle(leaf_kind(arrival));
  return Entered::Leaf;
}

bool MinimaxSearch::has_bounded_outcomes() {
  return rules_.star != Star::Off && top().kind == Kind::Chance;
}

void MinimaxSearch::branch() {
  bool probe = false;
  if (!is_empty() && has_bounded_outcomes()) {
    const Outcomes& outcomes = details_[open_details_ - 1].outcomes;
    probe = outcomes.is_probing();
    push(outcomes.alpha(), outcomes.beta());
  } else if (!rules_.alpha_beta || is_empty() || top().kind == Kind::Chance) {
    push(-kInfinity, kInfinity);
  } else {
    push(at_root() ? root_->to_surpass(top().next - 1) : top().alpha, top().beta);
  }
  if (details_.size() == open_details_) details_.emplace_back();
  Detail& detail = details_[open_details_++];
  detail.probe = probe;
  if (has_bounded_outcomes()) {
    detail.outcomes.start(tree_->moves().size(), top().alpha, top().beta,
                          rules_.star == Star::Two && !probe);
  }
}

bool MinimaxSearch::is_cut(const Frame& frame) const {
  const Backup& best = frame.best;
  if (frame.kind == Kind::Max) return best.low >= enough_ || best.value >= frame.beta;
  if (frame.kind == Kind::Min) return best.high <= rules_.nothing || best.value <= frame.alpha;
  return false;
}

gdl::MoveId MinimaxSearch::next() {
  Frame& frame = top();
  if (has_bounded_outcomes()) return next_outcome();
  if (details_[open_details_ - 1].probe && frame.next == 1) return gdl::kNoMove;
  if (frame.next == tree_->moves().size() || is_cut(frame)) return gdl::kNoMove;
  last_move_ = at_root() ? (*root_)[frame.next] : tree_->moves()[frame.next];
  ++frame.next;
  return last_move_;
}

gdl::MoveId MinimaxSearch::next_outcome() {
  const std::size_t outcome = details_[open_details_ - 1].outcomes.next();
  last_move_ = outcome == tree_->moves().size() ? gdl::kNoMove : tree_->moves()[outcome];
  return last_move_;
}

void MinimaxSearch::absorb() {
  if (has_bounded_outcomes()) return absorb_outcome();
  take();
  if (!rules_.alpha_beta) return;
  Frame& frame = top();
  if (frame.kind == Kind::Max) frame.alpha = std::max(frame.alpha, frame.best.value);
  if (frame.kind == Kind::Min) frame.beta = std::min(frame.beta, frame.best.value);
}

void MinimaxSearch::absorb_outcome() {
  Outcomes& outcomes = details_[open_details_ - 1].outcomes;
  switch (std::exchange(settled_seen_, Seen::All)) {
    case Seen::All:
      return outcomes.take(settled_);
    case Seen::FirstOfMax:
      return outcomes.take_lower(settled_);
    case Seen::FirstOfMin:
      return outcomes.take_upper(settled_);
  }
}

void MinimaxSearch::leave() {
  Frame& frame = top();
  const Detail& detail = details_[--open_details_];
  const auto moves = tree_->moves();
  unseen_.clear();
  if (frame.kind == Kind::Chance && rules_.star != Star::Off) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!detail.outcomes.is_seen(i)) unseen_.push_back(moves[i]);
    }
    frame.best = detail.outcomes.sum();
    frame.next = static_cast<std::uint32_t>(moves.size());
  } else {  // the root has an order of its own
    for (std::size_t i = frame.next; i < moves.size(); ++i) {
      unseen_.push_back(at_root() ? (*root_)[i] : moves[i]);
    }
  }
  // A chance node has been searched as far as its window requires.
  const bool probed = detail.probe && !unseen_.empty() && frame.kind != Kind::Chance;
  settled_seen_ = !probed                   ? Seen::All
                  : frame.kind == Kind::Max ? Seen::FirstOfMax
                                            : Seen::FirstOfMin;
  pop(unseen_);
}

}  // namespace ludens::search
