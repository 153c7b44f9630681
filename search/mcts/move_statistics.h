// SPDX-License-Identifier: MIT
// What playouts say of moves, wherever they were made.
#pragma once

#include <memory>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::mcts {

/// How good moves are, 0..1: [role][move id]. Ids behind the end of a row are as good as usual.
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

/// For each move of a role, how the playouts ended in which it was made (MAST, the Move-Average
/// Sampling Technique: Finnsson and Björnsson 2008). Not thread-safe.
class MoveStatistics {
 public:
  /// A playout counts as won from here on, and as lost up to there; half of it between.
  static constexpr gdl::MoveCounting kCounting{.per_start = false, .won_from = 51, .lost_to = 49};

  /// Whether or not they were counted for each start.
  void add(const gdl::PlayoutSums& sums, std::size_t roles);
  /// Older counts are worth half of what new ones are: the match has moved on.
  void fade();
  [[nodiscard]] std::uint64_t playouts() const { return playouts_; }

  /// The share of playouts that the role won of those in which it made the move, drawn towards the
  /// mean of all its moves where there were few.
  [[nodiscard]] MoveMeans means() const;
  /// A move whose mean is better than the average of the role's by d is weighed
  /// e^(`inverse_temperature` * d) times as much; at most 15 times as much as the least.
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
