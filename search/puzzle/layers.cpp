// SPDX-License-Identifier: MIT
#include "search/puzzle/layers.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ludens::search::puzzle {

namespace {

/// This many states of a layer are sampled to find where the best ones begin.
constexpr std::size_t kSample = 4096;
/// A layer may be larger than the width by this part of it before it is cut.
constexpr std::size_t kSlack = 8;

}  // namespace

Layers::Layers(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory,
               const LayersSettings& settings)
    : problem_(problem),
      guide_(guide),
      memory_(memory),
      settings_(settings),
      passes_(problem),
      seen_(memory),
      parents_(memory),
      layer_(memory),
      next_(memory) {
  layer_.add(problem.root(), problem.root_moves(), {ParentTree::kRoot, 0, 0, 0});
  safe_.assign(1, 0);
  complete_ = seen_.insert(guide.key(problem.root(), settings.without_clock)) ==
              Fingerprints::Insertion::New;
}

Ended Layers::run() {
  for (;;) {
    if (problem_.solved()) return Ended::Solved;
    const bool all = fill();
    if (passes_.size() > 0) {
      const Ended ended = land();
      if (ended != Ended::Exhausted) return ended;
    }
    if (problem_.solved()) return Ended::Solved;
    if (!all) continue;
    if (const auto ended = advance()) return *ended;
  }
}

/// Adds moves of the layer to the pass. True: there are no more; otherwise the pass is full.
bool Layers::fill() {
  for (; state_ < layer_.size(); ++state_, move_ = 0) {
    const auto moves = layer_.moves(state_);
    const std::size_t count = tries(moves.size());
    if (move_ == 0 && count < moves.size()) {
      offset_ = problem_.rng().uniform();
      complete_ = false;
    }
    const double stride = static_cast<double>(moves.size()) / static_cast<double>(count);
    for (; move_ < count; ++move_) {
      if (passes_.full()) return false;
      const double at = (static_cast<double>(move_) + offset_) * stride;
      const std::size_t i = count == moves.size() ? move_ : static_cast<std::size_t>(at);
      passes_.add(layer_.state(state_), moves[i], static_cast<std::uint32_t>(state_));
    }
  }
  return true;
}

/// Runs the pass and stores its children. Exhausted: continue.
Ended Layers::land() {
  if (passes_.run() == gdl::Status::Stopped) return Ended::Stopped;
  if (passes_.children() < passes_.size()) complete_ = false;
  const auto keys = guide_.keys(passes_, settings_.without_clock, seen_);
  for (std::size_t i = 0; i < passes_.children(); ++i) {
    out_of_memory_ = !arrive(passes_[i], keys[i]);
    if (out_of_memory_) return Ended::Limited;
  }
  passes_.clear();
  return Ended::Exhausted;
}

/// False: memory is used up.
bool Layers::arrive(const Child& child, const gdl::StateHash& key) {
  if (child.terminal) {
    const ParentTree::Node parent = layer_.note(child.tag).way;
    if (child.goal > problem_.best()) problem_.offer(child.goal, parents_.line(parent, child.move));
    return true;
  }
  if (child.moves.empty()) return true;  // a flawed game: there is no legal move
  switch (seen_.insert(key)) {
    case Fingerprints::Insertion::New:
      return keep(child);
    case Fingerprints::Insertion::OutOfMemory:
      return false;
    case Fingerprints::Insertion::Seen:
      break;
  }
  if (counts_safe_moves()) ++safe_[child.tag];
  return true;
}

bool Layers::keep(const Child& child) {
  const Note& parent = layer_.note(child.tag);
  const auto way = parents_.add(parent.way, child.move);
  if (!way) return false;
  Note note{*way, child.tag, 0, 0};
  if (settings_.width != 0) {
    const int goal = guide_.wants_goal(settings_.ranking) ? guide_.goal_of(child.state) : 0;
    note.goal = static_cast<std::int8_t>(goal);
    note.rank = guide_.rank(settings_.ranking, child.state, child.moves, goal);
    if (goal >= parent.goal) ++safe_[child.tag];
  }
  return next_.add(child.state, child.moves, note);
}

/// Moves on to the next layer; the search ends if there is none.
std::optional<Ended> Layers::advance() {
  if (next_.size() == 0) return complete_ && !problem_.gaps ? Ended::Exhausted : Ended::Limited;
  if (settings_.width != 0 && next_.size() > settings_.width + settings_.width / kSlack) {
    complete_ = false;
    if (!prune()) {
      out_of_memory_ = !problem_.stopped();
      return out_of_memory_ ? Ended::Limited : Ended::Stopped;
    }
  }
  layer_.clear();
  layer_.swap(next_);
  safe_.assign(settings_.width != 0 ? layer_.size() : 0, 0);
  state_ = move_ = 0;
  ++depth_;
  problem_.deepest = std::max(problem_.deepest, depth_);
  if (depth_ >= problem_.most_moves) return Ended::Limited;
  return std::nullopt;
}

float Layers::final_rank(const Note& note) const {
  return note.rank + (counts_safe_moves() ? static_cast<float>(safe_[note.parent]) : 0);
}

/// Keeps about `width` states of the next layer: those above a threshold that a sample determines.
/// False: stopped, or out of memory.
bool Layers::prune() {
  std::vector<float> sample;
  sample.reserve(kSample);
  for (std::size_t k = 0; k < kSample; ++k) {
    const auto i = problem_.rng().below(static_cast<std::uint32_t>(next_.size()));
    sample.push_back(final_rank(next_.note(i)));
  }
  const double share = static_cast<double>(settings_.width) / static_cast<double>(next_.size());
  const auto place = static_cast<std::ptrdiff_t>(share * (kSample - 1));
  std::ranges::nth_element(sample, sample.begin() + place, std::greater<>());
  const float least = sample[static_cast<std::size_t>(place)];
  Layer kept(memory_);
  for (std::size_t i = 0; i < next_.size(); ++i) {
    if (i % kSample == 0 && problem_.stopped()) return false;
    if (final_rank(next_.note(i)) < least) continue;
    if (!kept.add(next_.state(i), next_.moves(i), next_.note(i))) return false;
  }
  next_ = std::move(kept);
  return true;
}

}  // namespace ludens::search::puzzle
