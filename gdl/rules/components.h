// SPDX-License-Identifier: MIT
// Strongly connected components of a directed graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ludens::gdl {

/// Successors of each node.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// The same in one block of memory, for graphs of millions of edges. Nodes are added with their
/// successors.
class FlatGraph {
 public:
  void add(std::span<const std::uint32_t> successors) {
    successors_.insert(successors_.end(), successors.begin(), successors.end());
    end_.push_back(successors_.size());
  }
  [[nodiscard]] std::size_t size() const { return end_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t node) const {
    const std::size_t begin = node == 0 ? 0 : end_[node - 1];
    return std::span(successors_).subspan(begin, end_[node] - begin);
  }

 private:
  std::vector<std::uint32_t> successors_;
  std::vector<std::size_t> end_;  // [node]
};

struct Components {
  std::vector<std::uint32_t> of;  // component of each node; successors' numbers are not larger
  std::uint32_t count = 0;
};

/// Takes linear time and does not recurse (Tarjan, "Depth-first search and linear graph
/// algorithms", 1972).
Components strong_components(const Graph& graph);
Components strong_components(const FlatGraph& graph);

/// Nodes of a shortest path, `from` first and `to` last, of at least one edge; empty if there is
/// none. `allowed` says which nodes may be passed; all if it is empty.
std::vector<std::uint32_t> shortest_path(const Graph& graph, std::uint32_t from, std::uint32_t to,
                                         const std::vector<bool>& allowed = {});

}  // namespace ludens::gdl
