// SPDX-License-Identifier: MIT
// Which moves of a role are worth a descent, given what is proved about them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "search/mcts/node.h"

namespace ludens::search::mcts {

/// The combined bounds of a role's moves. Inline, because selection uses it at every node.
class Candidates {
 public:
  /// `untried`: moves that have no edge, about which nothing is known.
  Candidates(std::span<const Edge> edges, std::uint32_t untried) {
    for (const Edge& edge : edges) best_low_ = std::max(best_low_, edge.bounds.low);
    open_ = untried > 0 && best_low_ < 100;
    for (const Edge& edge : edges) open_ |= edge.bounds.high > best_low_;
  }
  /// Whether there is something to find out about a move: its value is not proved, and it may be
  /// worth more than what the role can force with another. If nothing is left to find out, the best
  /// moves are candidates.
  [[nodiscard]] bool admits(const Bounds& bounds) const {
    if (open_) return bounds.high > best_low_ && !bounds.closed();
    return bounds.low == best_low_;
  }
  /// What the role can force.
  [[nodiscard]] std::uint8_t best_low() const { return best_low_; }
  /// Whether some move may be worth more than that.
  [[nodiscard]] bool open() const { return open_; }

 private:
  std::uint8_t best_low_ = 0;
  bool open_ = false;
};

/// The place of a move that is proved to be worth 100.
inline std::optional<std::uint32_t> find_won(std::span<const Edge> edges) {
  const auto won = std::ranges::find_if(edges, [](const Edge& e) { return e.bounds.low == 100; });
  if (won == edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(won - edges.begin());
}

}  // namespace ludens::search::mcts
