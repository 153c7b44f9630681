// SPDX-License-Identifier: MIT
// What gates could be if fluents were gained and none were lost.
#pragma once

#include <span>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl {

/// Evaluates a network over edges of other gates, with two values of each fluent: one where it is
/// needed that the fluent holds, and one where it is needed that it does not. If the former is
/// implied by the latter, the result is implied by the plain value. Each gate is made at most once
/// in either sense. No feedbacks; moves are false. Network and target must outlive it.
class RelaxedGates {
 public:
  /// [fluent]: edges of `target`. `lower`: the value that must be false where the fluent may not
  /// hold; `upper`: the value where it must hold.
  RelaxedGates(const Network& network, Gates& target, std::span<const Edge> lower,
               std::span<const Edge> upper);

  /// An edge of the target.
  Edge evaluate(Edge e);

 private:
  static constexpr Edge kNone = 0xffffffff;

  /// Whether the gate is there, after pushing what it lacks.
  bool make(NodeId n, bool upper);

  const Network& network_;
  Gates& target_;
  std::vector<Edge> values_[2];                   // [upper][node]
  std::vector<std::pair<NodeId, bool>> missing_;  // a stack
  std::vector<Edge> inputs_;                      // scratch
};

}  // namespace ludens::gdl
