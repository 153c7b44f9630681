// SPDX-License-Identifier: MIT
// The moves of the root during one search: their order, what is known about each, and the choice.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "search/strategy/incumbent.h"
#include "search/strategy/options.h"
#include "search/tree/backup.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// Kept over the iterations of one search; publishes the choice. For one thread.
class RootMoves {
 public:
  /// With random ties the moves are shuffled first, and the first best in search order is taken;
  /// otherwise the first best in legal order. A value proved to be at least `threshold` is as good
  /// as the best. `incumbent` must outlive this.
  RootMoves(std::span<const gdl::MoveId> legal, Ties ties, double threshold, gdl::Rng& rng,
            Incumbent& incumbent);

  /// `reorder`: moves that were best in the previous iteration come first.
  void start_iteration(bool reorder);
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  /// The moves in search order.
  [[nodiscard]] gdl::MoveId operator[](std::size_t i) const { return moves_[order_[i]].move; }

  /// The value that the i-th move must surpass to be taken: the best of this iteration, or slightly
  /// less for a move that takes precedence among equals.
  [[nodiscard]] double to_surpass(std::size_t i) const;

  /// Records the result of the i-th move: takes it if it surpasses the best, and publishes. `line`:
  /// joint moves of the principal variation from the root, stored contiguously.
  void record(std::size_t i, const Backup& result, std::span<const gdl::MoveId> line,
              const GameTree& tree);
  /// Records that no move is worth more, which is proved.
  void limit(double high);
  /// To be called when all moves of this iteration have been searched.
  void finish_iteration(const GameTree& tree);

  /// What is proved about the root.
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
  [[nodiscard]] bool is_solved() const { return low() == high(); }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  void adopt_and_publish(const GameTree& tree);
  void choose(std::size_t move);

  std::vector<RootMove> moves_;                  // in legal order
  std::vector<std::size_t> order_;               // search order, into moves_
  std::vector<std::vector<gdl::MoveId>> lines_;  // [move]
  Ties ties_;
  double threshold_;
  Incumbent& incumbent_;
  Choice choice_;
  std::size_t best_ = kNone;         // of this iteration, into moves_
  std::size_t chosen_ = kNone;       // the choice, into moves_
  bool comparable_ = true;           // the choice was searched in this iteration, or there is none
  std::uint64_t states_before_ = 0;  // tree.states() when the last move was recorded
};

}  // namespace ludens::search
