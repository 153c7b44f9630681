// SPDX-License-Identifier: MIT
// Decomposes goals and end into alternatives of conditions, each about one factor if possible.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/machine/structure.h"
#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Reads ORs of ANDs off a network, as long as they stay small. The network and the poll must
/// outlive it. All calls share one budget of work.
class ConditionFinder {
 public:
  /// `factor_of`: [fluent of the network].
  ConditionFinder(const Network& network, const std::vector<std::uint32_t>& factor_of,
                  StopPoll& poll);

  /// When the edge holds; nullopt if that depends on moves or on rules in a cycle, or costs too
  /// much. No alternatives mean never. An alternative without conditions means always.
  std::optional<Structure::Alternatives> of(Edge root);

 private:
  using Edges = std::vector<Edge>;

  [[nodiscard]] bool is_atom(Edge e) const;
  std::vector<Edges> expand(Edge e, unsigned depth);
  std::vector<Edges> expand_all(NodeId n, unsigned depth);
  std::vector<Edges> expand_any(NodeId n, unsigned depth);
  std::optional<Structure::Condition> condition(Edge root);
  bool find_cone(Edge root);
  void forget_cone();

  const Network& network_;
  StopPoll& poll_;
  std::vector<std::uint32_t> support_;  // [node]: the factor, or one of those below
  static constexpr std::uint32_t kNothing = ~0U, kSeveral = ~1U, kOpaque = ~2U;
  std::uint64_t work_;
  // State of the condition being read.
  std::vector<std::uint32_t> number_;  // [node]: among the nodes of the condition
  std::vector<NodeId> stack_, cone_;
};

}  // namespace ludens::gdl
