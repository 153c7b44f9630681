// Composed gates, with few gates.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/network/factor.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Copies gates over fluents from one network into another with the same fluents in front. A sum of
/// products whose products nobody else uses is factored on the way. Both must outlive it.
class Refactoring {
 public:
  /// `roots` are all edges that will be copied. `stop` may be null.
  Refactoring(const Network& from, const std::vector<Edge>& roots, Network& to,
              const StopSignal* stop);

  /// Once told to stop, what is returned means nothing.
  Edge copy(Edge root);

 private:
  static constexpr Edge kNone = 0xffffffff;

  [[nodiscard]] Edge edge(Edge e) const { return edges_[node_of(e)] ^ (e & 1); }
  [[nodiscard]] bool is_product(Edge e) const;
  [[nodiscard]] bool is_sum(NodeId n) const;
  bool push_needed(NodeId n);
  void add(NodeId n);

  const Network& from_;
  Network& to_;
  StopPoll poll_;
  Factoring factoring_;
  std::vector<std::uint32_t> uses_;  // [node]
  std::vector<Edge> edges_;          // [node]: in the other network
  std::vector<NodeId> stack_;
};

}  // namespace ludens::gdl
