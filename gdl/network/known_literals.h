// SPDX-License-Identifier: MIT
// What is known to hold while gates are made or simplified.
#pragma once

#include <span>
#include <vector>

#include "gdl/network/network.h"

namespace ludens::gdl {

/// Edges that are known to hold, as a stack. The gates may grow and must outlive it.
class KnownLiterals {
 public:
  explicit KnownLiterals(const Gates& gates) : gates_(gates) {}

  /// The constant if the edge is known; otherwise the edge.
  [[nodiscard]] Edge simplify(Edge e) const {
    const NodeId n = node_of(e);
    if (n >= known_.size() || known_[n] == kNothing) return e;
    return known_[n] ^ (e & 1);
  }
  /// Adds that the edge holds; if it is an AND, so do its inputs. What is known already does not
  /// change.
  void add(Edge e);
  [[nodiscard]] std::size_t count() const { return added_.size(); }
  /// The edges added after the first `count`.
  [[nodiscard]] std::span<const Edge> since(std::size_t count) const {
    return std::span(added_).subspan(count);
  }
  /// Forgets all but the first `count`.
  void forget(std::size_t count);

 private:
  static constexpr Edge kNothing = 0xffffffff;

  const Gates& gates_;
  std::vector<Edge> known_;  // [node]: its value, or kNothing
  std::vector<Edge> added_;
};

}  // namespace ludens::gdl
