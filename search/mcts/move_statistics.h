// SPDX-License-Identifier: MIT
// Statistics of moves in playouts, wherever they were made.
#pragma once

#include <memory>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::mcts {

/// How good moves are, 0..1: [role][move id]. Ids beyond the end of a row have the average value.
struct MoveMeans {
  struct Row {
    float usual = 0.5F;
    std::vector<float> moves;
  };
  std::vector<Row> rows;
  [[nodiscard]] float of(gdl::RoleIndex role, gdl::MoveId move) const {
    if (role >= rows.size()) return 0.5F;
    return move < rows[role].moves.size() ? rows[role].moves[move] : rows[role].usual;
  }
};

/// For each move of a role, the results of the playouts in which it was made (MAST, the
/// Move-Average Sampling Technique: Finnsson and Björnsson 2008). Not thread-safe.
class MoveStatistics {
 public:
  /// A playout counts as won from the first bound on, as lost up to the second, and half in
  /// between.
  static constexpr gdl::MoveCounting kCounting{.per_start = false, .won_from = 51, .lost_to = 49};

  /// Adds counts, whether or not they are separate for each start.
  void add(const gdl::PlayoutSums& sums, std::size_t roles);
  /// Halves the weight of older counts, because the match has moved on.
  void fade();
  /// The weight of all counts, in playouts.
  [[nodiscard]] std::uint64_t playouts() const { return playouts_; }

  /// The share of playouts won among those in which the role made the move, pulled towards the mean
  /// of all its moves if there were few.
  [[nodiscard]] MoveMeans means() const;
  /// A move whose mean is better than the role's average by d gets e^(`inverse_temperature` * d)
  /// times the weight; at most 15 times the least weight.
  [[nodiscard]] gdl::MoveWeights weights(double inverse_temperature) const;

 private:
  struct Count {
    double made = 0, won = 0;  // a draw is half won
  };
  struct Role {
    Count all;
    std::vector<Count> moves;  // [move id]
  };
  [[nodiscard]] static double mean_of(const Role& role, const Count& count);

  std::vector<Role> roles_;
  std::uint64_t playouts_ = 0;
};

}  // namespace ludens::search::mcts
