// SPDX-License-Identifier: MIT
// Sums of products with few gates: factoring, and knowledge about moves.
#pragma once

#include <optional>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Builds gates of a network whose moves are known. Relies on each role making exactly one move: an
/// OR over more than half of a role's moves is the complement of the OR over the rest. That holds
/// whenever a joint move was chosen; outputs that don't depend on moves are not affected.
class Factoring {
 public:
  /// Once stopped, it returns edges that mean nothing. `poll` may be null. `plain`: sums of
  /// products are built as given.
  explicit Factoring(Network& network, StopPoll* poll = nullptr, bool plain = false);
  Factoring(const Factoring&) = delete;
  Factoring& operator=(const Factoring&) = delete;

  /// OR of ANDs, factored by the most frequent literal, recursively.
  Edge sum_of_products(std::vector<std::vector<Edge>> products);
  Edge disjunction(std::vector<Edge> inputs);

 private:
  Edge most_frequent(const std::vector<std::vector<Edge>>& products);
  [[nodiscard]] bool clean(std::vector<std::vector<Edge>>& products);
  bool complement_moves(std::vector<Edge>& inputs);
  [[nodiscard]] std::optional<RoleIndex> mostly_done_by(const std::vector<Edge>& inputs) const;

  Network& network_;
  StopPoll never_{nullptr};
  StopPoll& poll_;
  const bool plain_;
  std::vector<std::vector<Edge>> moves_of_;  // [role]
  std::vector<std::uint32_t> count_;  // [edge], scratch of most_frequent: all 0 between calls
};

}  // namespace ludens::gdl
