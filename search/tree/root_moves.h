// SPDX-License-Identifier: MIT
// The moves of the root during one search: their order, what is known of each, and the choice.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "search/strategy/incumbent.h"
#include "search/strategy/options.h"
#include "search/tree/backup.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// Kept over the iterations of one search, and published from. One thread.
class RootMoves {
 public:
  /// With ties by chance the moves are shuffled first, and the first best in the order of searching
  /// is taken; else the first best in legal order. `incumbent` must outlive this.
  RootMoves(std::span<const gdl::MoveId> legal, Ties ties, gdl::Rng& rng, Incumbent& incumbent);

  /// `reorder`: those that were best in the iteration before come first.
  void start_iteration(bool reorder);
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  /// In the order of searching.
  [[nodiscard]] gdl::MoveId operator[](std::size_t i) const { return moves_[order_[i]].move; }

  /// The value that the i-th move must surpass to be taken: the best of this iteration, or anything
  /// less than that for a move that comes first where they are equal.
  [[nodiscard]] double to_surpass(std::size_t i) const;

  /// The i-th move has been searched: takes it if it surpasses the best, and publishes. `line`:
  /// joint moves of the principal variation from the root, behind one another.
  void record(std::size_t i, const Backup& result, std::span<const gdl::MoveId> line,
              const GameTree& tree);
  /// It is proved that no move is worth more.
  void limit(double high);
  /// All moves that this iteration looks at have been searched.
  void finish_iteration(const GameTree& tree);

  /// What is proved of the root.
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
  [[nodiscard]] bool is_solved() const { return low() == high(); }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  void adopt_and_publish(const GameTree& tree);
  void choose(std::size_t move);

  std::vector<RootMove> moves_;                  // in legal order
  std::vector<std::size_t> order_;               // of searching, into moves_
  std::vector<std::vector<gdl::MoveId>> lines_;  // [move]
  Ties ties_;
  Incumbent& incumbent_;
  Choice choice_;
  std::size_t best_ = kNone;         // of this iteration, into moves_
  std::size_t chosen_ = kNone;       // the choice, into moves_
  bool comparable_ = true;           // the choice was searched in this iteration, or there is none
  std::uint64_t states_before_ = 0;  // tree.states() when the last move was recorded
};

}  // namespace ludens::search
