#include "search/mcts/candidates.h"

#include <algorithm>

namespace ludens::search::mcts {

Candidates::Candidates(std::span<const Edge> edges, std::uint32_t untried) {
  for (const Edge& edge : edges) best_low_ = std::max(best_low_, edge.bounds.low);
  open_ = untried > 0 && best_low_ < 100;
  for (const Edge& edge : edges) open_ |= edge.bounds.high > best_low_;
}

bool Candidates::admits(const Bounds& bounds) const {
  if (open_) return bounds.high > best_low_ && !bounds.closed();
  return bounds.low == best_low_;
}

std::optional<std::uint32_t> find_won(std::span<const Edge> edges) {
  const auto won = std::ranges::find_if(edges, [](const Edge& e) { return e.bounds.low == 100; });
  if (won == edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(won - edges.begin());
}

}  // namespace ludens::search::mcts
