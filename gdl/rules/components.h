// Strongly connected components of a directed graph.
#pragma once

#include <cstdint>
#include <vector>

namespace ludens::gdl {

/// Successors of each node.
using Graph = std::vector<std::vector<std::uint32_t>>;

struct Components {
  std::vector<std::uint32_t> of;  // component of each node; successors' numbers are not larger
  std::uint32_t count = 0;
};

/// In linear time and without recursion (Tarjan, "Depth-first search and linear graph algorithms",
/// 1972).
Components strong_components(const Graph& graph);

/// Nodes of a shortest path, `from` first and `to` last, of at least one edge; empty if there is
/// none. `allowed` says which nodes may be passed; all if it is empty.
std::vector<std::uint32_t> shortest_path(const Graph& graph, std::uint32_t from, std::uint32_t to,
                                         const std::vector<bool>& allowed = {});

}  // namespace ludens::gdl
