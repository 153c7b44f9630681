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
  /// `untried`: moves that have no edge, about which nothing is known. `equals`: once no move can
  /// be worth more than the best, those that may be worth as much are open.
  Candidates(std::span<const Edge> edges, std::uint32_t untried, bool equals = false) {
    for (const Edge& edge : edges) bar_ = std::max(bar_, edge.bounds.low);
    open_ = untried > 0 && bar_ < 100;
    for (const Edge& edge : edges) open_ |= edge.bounds.high > bar_;
    if (open_ || !equals || bar_ == 0) return;
    for (const Edge& edge : edges) open_ |= edge.bounds.high >= bar_ && !edge.bounds.closed();
    if (open_) --bar_;
  }
  /// Whether there is something to find out about a move: its value is not proved, and it may be
  /// worth more than what the role can force with another. If nothing is left to find out, the best
  /// moves are candidates.
  [[nodiscard]] bool admits(const Bounds& bounds) const {
    if (open_) return bounds.high > bar_ && !bounds.closed();
    return bounds.low == bar_;
  }
  /// What a move must be able to exceed, or, if none is open, what the role can force.
  [[nodiscard]] std::uint8_t bar() const { return bar_; }
  /// Whether there is something to find out about some move.
  [[nodiscard]] bool open() const { return open_; }

 private:
  std::uint8_t bar_ = 0;
  bool open_ = false;
};

/// The place of a move that is proved to be worth 100.
inline std::optional<std::uint32_t> find_won(std::span<const Edge> edges) {
  const auto won = std::ranges::find_if(edges, [](const Edge& e) { return e.bounds.low == 100; });
  if (won == edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(won - edges.begin());
}

}  // namespace ludens::search::mcts
