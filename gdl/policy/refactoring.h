// SPDX-License-Identifier: MIT
// Makes composed gates smaller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/network/copier.h"
#include "gdl/network/factor.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Copies gates over fluents from one network into another with the same fluents in front. A sum of
/// products whose products have no other users is factored on the way. Both networks must outlive
/// it.
class Refactoring final : private NodeMaker {
 public:
  /// `roots` are all edges that will be copied. `stop` may be null.
  Refactoring(const Network& from, const std::vector<Edge>& roots, Network& to,
              const StopSignal* stop);

  /// Once it was stopped, the result means nothing.
  Edge copy(Edge root) { return copier_.copy(root, *this); }

 private:
  [[nodiscard]] bool is_product(Edge e) const;
  [[nodiscard]] bool is_sum(NodeId n) const;
  std::span<const Edge> inputs(NodeId gate, std::span<const Edge> inputs) override;
  Edge gate(NodeId gate, std::vector<Edge>& copied) override;

  const Network& from_;
  Network& to_;
  StopPoll poll_;
  Copier copier_;
  Factoring factoring_;
  std::vector<std::uint32_t> uses_;  // [node]
  std::vector<Edge> literals_;       // scratch of inputs
};

}  // namespace ludens::gdl
