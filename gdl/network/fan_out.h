// SPDX-License-Identifier: MIT
// Which gates and outputs read each node of a network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/memory/large_array.h"
#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// The reversed edges of a network: for each node the gates that have it among their inputs, and
/// the fluents, moves and feedbacks that take their value from it. A value type.
class FanOut {
 public:
  /// What is next for a fluent, what is legal for a move, or the update of a feedback.
  struct Output {
    Gates::Kind kind;
    std::uint32_t index;  // into Network::fluents, moves or feedbacks
  };

  /// If stopped by the poll (may be null), it means nothing. `among`: only gates of this cone count
  /// as readers; all gates if null.
  explicit FanOut(const Network& network, StopPoll* poll = nullptr,
                  const std::vector<bool>* among = nullptr);

  /// Gates, ascending, as edges: inverted where the complement of the node is read.
  [[nodiscard]] std::span<const Edge> gates(NodeId n) const { return gates_[n]; }
  /// Fluents, then moves, then feedbacks. The network says whether their edge is inverted.
  [[nodiscard]] std::span<const Output> outputs(NodeId n) const { return outputs_[n]; }

 private:
  /// A list for each node, all in one array.
  template <typename T>
  struct Lists {
    std::vector<std::uint32_t> first;  // [node], one more at the end
    LargeArray<T> values;

    std::span<const T> operator[](NodeId n) const {
      return {values.data() + first[n], first[n + 1] - first[n]};
    }
    template <typename ForEach>
    void fill(std::size_t nodes, const ForEach& for_each);
  };

  Lists<Edge> gates_;
  Lists<Output> outputs_;
};

/// [node]: how many of the roots and of the gates in their cone read it. If stopped by the poll
/// (may be null), it means nothing.
std::vector<std::uint32_t> count_uses(const Network& network, std::span<const Edge> roots,
                                      StopPoll* poll = nullptr);

}  // namespace ludens::gdl
