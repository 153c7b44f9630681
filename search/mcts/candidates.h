// Which moves of a role are worth a descent, by what is proved of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// What the bounds of a role's moves say together.
class Candidates {
 public:
  /// `untried`: moves that have no edge, of which nothing is known.
  Candidates(std::span<const Edge> edges, std::uint32_t untried);
  /// Whether there is something to find out about a move: its value is not proved, and it may be
  /// worth more than what the role can force by another. With nothing left to find out, the best
  /// moves are candidates.
  [[nodiscard]] bool admits(const Bounds& bounds) const;
  /// What the role can force.
  [[nodiscard]] std::uint8_t best_low() const { return best_low_; }
  /// Whether some move may be worth more than that.
  [[nodiscard]] bool open() const { return open_; }

 private:
  std::uint8_t best_low_ = 0;
  bool open_ = false;
};

/// The place of a move that is proved to be worth 100.
std::optional<std::uint32_t> find_won(std::span<const Edge> edges);

}  // namespace ludens::search::mcts
