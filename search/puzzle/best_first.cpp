// SPDX-License-Identifier: MIT
#include "search/puzzle/best_first.h"

#include <algorithm>

namespace ludens::search::puzzle {

BestFirst::BestFirst(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory,
                     const BestFirstSettings& settings, Estimate& estimate)
    : problem_(problem),
      guide_(guide),
      settings_(settings),
      estimate_(estimate),
      passes_(problem),
      seen_(memory),
      parents_(memory),
      states_(memory) {
  states_.add(problem.root(), problem.root_moves(), {ParentTree::kRoot, 0});
  seen_.insert(guide.key(problem.root(), settings.without_clock));
  push(0, 0, 0);
}

Ended BestFirst::run() {
  for (;;) {
    if (problem_.solved()) return Ended::Solved;
    fill();
    if (passes_.size() == 0) {
      const bool all = complete_ && !problem_.gaps && !settings_.without_clock;
      return all ? Ended::Exhausted : Ended::Limited;
    }
    if (passes_.run() == gdl::Status::Stopped) return Ended::Stopped;
    if (!land()) return Ended::Limited;
    passes_.clear();
  }
}

/// Adds the moves of the best open states until the pass is full.
void BestFirst::fill() {
  while (!passes_.full()) {
    if (!expanding_) {
      if (open_.empty()) return;
      std::pop_heap(open_.begin(), open_.end());
      state_ = open_.back().state;
      open_.pop_back();
      move_ = 0;
      expanding_ = true;
    }
    const auto moves = states_.moves(state_);
    for (; move_ < moves.size() && !passes_.full(); ++move_) {
      passes_.add(states_.state(state_), moves[move_], state_);
    }
    expanding_ = move_ < moves.size();
  }
}

/// Stores the children of the pass. False: memory is used up.
bool BestFirst::land() {
  const auto keys = guide_.keys(passes_, settings_.without_clock, seen_);
  fresh_.clear();
  fresh_states_.clear();
  for (std::uint32_t i = 0; i < passes_.children(); ++i) {
    if (!arrive(i, keys[i])) return false;
  }
  estimates_.resize(fresh_.size());
  estimate_.moves(fresh_states_, estimates_);
  return open_fresh();
}

bool BestFirst::arrive(std::uint32_t i, const gdl::StateHash& key) {
  const Child child = passes_[i];
  if (child.terminal) {
    const ParentTree::Node parent = states_.note(child.tag).way;
    if (child.goal > problem_.best()) problem_.offer(child.goal, parents_.line(parent, child.move));
    return true;
  }
  if (child.moves.empty()) return true;
  const auto inserted = seen_.insert(key);
  if (inserted != Fingerprints::Insertion::New) return inserted == Fingerprints::Insertion::Seen;
  fresh_.push_back(i);
  fresh_states_.push_back(child.state);
  return true;
}

bool BestFirst::open_fresh() {
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    if (estimates_[i] == Estimate::kNever) continue;
    const Child child = passes_[fresh_[i]];
    const Note parent = states_.note(child.tag);
    if (parent.depth + 1 >= problem_.most_moves) {
      complete_ = false;
      continue;
    }
    const auto way = parents_.add(parent.way, child.move);
    const auto number = static_cast<std::uint32_t>(states_.size());
    if (!way || !states_.add(child.state, child.moves, {*way, parent.depth + 1})) return false;
    push(number, parent.depth + 1, estimates_[i]);
    problem_.deepest = std::max(problem_.deepest, parent.depth + 1);
  }
  return true;
}

void BestFirst::push(std::uint32_t state, std::uint32_t depth, double estimate) {
  open_.push_back({static_cast<float>(depth + settings_.weight * estimate), state});
  std::push_heap(open_.begin(), open_.end());
}

}  // namespace ludens::search::puzzle
