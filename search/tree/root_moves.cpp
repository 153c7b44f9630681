// SPDX-License-Identifier: MIT
#include "search/tree/root_moves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ludens::search {

RootMoves::RootMoves(std::span<const gdl::MoveId> legal, Ties ties, double threshold, gdl::Rng& rng,
                     Incumbent& incumbent)
    : order_(legal.size()),
      lines_(legal.size()),
      ties_(ties),
      threshold_(threshold),
      incumbent_(incumbent) {
  for (const gdl::MoveId move : legal) moves_.push_back({.move = move, .value = -kInfinity});
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (ties == Ties::First) return;
  for (std::size_t i = order_.size(); i > 1; --i) {
    std::swap(order_[i - 1], order_[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

void RootMoves::start_iteration(bool reorder) {
  if (reorder && chosen_ != kNone) {
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
      if (a == chosen_ || b == chosen_) return a == chosen_ && b != chosen_;
      return moves_[a].value > moves_[b].value;
    });
  }
  best_ = kNone;
  comparable_ = chosen_ == kNone;
}

double RootMoves::to_surpass(std::size_t i) const {
  if (best_ == kNone) return -kInfinity;
  const double best = moves_[best_].value;
  return ties_ == Ties::First && order_[i] < best_ ? std::nextafter(best, -kInfinity) : best;
}

void RootMoves::record(std::size_t i, const Backup& result, std::span<const gdl::MoveId> line,
                       const GameTree& tree) {
  const double bar = to_surpass(i);
  const std::size_t at = order_[i];
  RootMove& move = moves_[at];
  move.value = result.value;
  move.low = std::max(move.low, result.low);
  move.high = std::min(move.high, result.high);
  move.visits += tree.states() - states_before_;
  states_before_ = tree.states();
  if (result.value > bar) {
    best_ = at;
    lines_[at].assign(line.begin(), line.end());
  }
  comparable_ = comparable_ || at == chosen_;
  if (comparable_) adopt_and_publish(tree);
}

void RootMoves::limit(double high) {
  for (RootMove& move : moves_) move.high = std::min(move.high, high);
}

void RootMoves::finish_iteration(const GameTree& tree) {
  if (best_ != kNone) adopt_and_publish(tree);
}

void RootMoves::adopt_and_publish(const GameTree& tree) {
  choose(best_);
  choice_.depth = static_cast<std::uint32_t>(tree.deepest());
  choice_.nodes = tree.states();
  choice_.root = moves_;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    RootMove& move = choice_.root[i];
    if (move.value == -kInfinity) move.value = (move.low + move.high) / 2;  // not searched yet
    move.variation = lines_[i];
  }
  incumbent_.publish(choice_);
}

void RootMoves::choose(std::size_t move) {
  // A move that is proved to be as good as possible, or good enough, beats every estimate.
  const double high = RootMoves::high();
  for (const double wanted : {high, std::min(high, threshold_)}) {
    if (moves_[move].low >= wanted) break;
    const auto proved =
        std::ranges::find_if(order_, [&](std::size_t at) { return moves_[at].low >= wanted; });
    if (proved != order_.end()) move = *proved;
  }
  chosen_ = move;
  choice_.move = moves_[move].move;
  choice_.exact = is_solved();
  choice_.value = choice_.exact ? low() : moves_[move].value;
  choice_.variation = lines_[move];
}

double RootMoves::low() const {
  return std::ranges::max(moves_, {}, &RootMove::low).low;
}

double RootMoves::high() const {
  return std::ranges::max(moves_, {}, &RootMove::high).high;
}

}  // namespace ludens::search
