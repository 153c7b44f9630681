// SPDX-License-Identifier: MIT
#include "search/mcts/bounds.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

/// The best of the role's own moves, one of which may have no edge yet.
Bounds best_of(std::span<const Edge> edges, std::uint32_t untried) {
  Bounds best{0, 0};
  for (const Edge& edge : edges) {
    best.low = std::max(best.low, edge.bounds.low);
    best.high = std::max(best.high, edge.bounds.high);
  }
  if (untried > 0) best.high = 100;
  return best;
}

/// What a role that does not decide gets at least after a move.
std::uint8_t others_low(const Graph& graph, const Edge& edge, gdl::RoleIndex role,
                        std::optional<gdl::RoleIndex> opponent) {
  if (edge.child() != kNoNode) return graph[edge.child()].bounds(role).low;
  return role == opponent ? edge.others_low() : 0;
}

/// The decider takes its best, the others their worst. Bounds only become tighter: the others' old
/// `high` stays true. The children of the edges from `first` to before `last` may have new bounds.
bool from_turn(Graph& graph, Node& node, JointCode first, JointCode last) {
  const gdl::RoleIndex decider = node.decider();
  const auto edges = graph.edges(node, decider);
  const auto changed_edges = edges.subspan(first, last - first);
  for (Edge& edge : changed_edges) {
    if (edge.child() == kNoNode) continue;  // there was no memory for it
    edge.bounds = both(edge.bounds, graph[edge.child()].bounds(decider));
  }
  const std::uint32_t untried = graph.untried(node, decider);
  const auto opponent = graph.opponent(node);
  bool changed = node.tighten(decider, best_of(edges, untried));
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r == decider) continue;
    Bounds bounds{untried == 0 ? std::uint8_t{100} : std::uint8_t{0}, 100};
    for (const Edge& edge : changed_edges) {
      if (edge.child() == kNoNode) continue;
      bounds.high = std::min(bounds.high, graph[edge.child()].bounds(r).high);
    }
    for (const Edge& edge : edges) {
      if (bounds.low == 0) break;
      bounds.low = std::min(bounds.low, others_low(graph, edge, r, opponent));
    }
    changed |= node.tighten(r, bounds);
  }
  return changed;
}

/// The mean of equally likely outcomes; also right for the only outcome of a node without choice.
bool from_chance(Graph& graph, Node& node, std::uint64_t outcomes) {
  const std::uint64_t unknown = outcomes - graph.child_count(node);
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    std::uint64_t low = 0;
    std::uint64_t high = 100 * unknown;
    graph.for_each_child(node, [&](JointCode, NodeId child) {
      low += graph[child].bounds(r).low;
      high += graph[child].bounds(r).high;
    });
    changed |= node.tighten(r, {static_cast<std::uint8_t>(low / outcomes),
                                static_cast<std::uint8_t>((high + outcomes - 1) / outcomes)});
  }
  return changed;
}

/// Outcomes of a move, as far as they have nodes.
struct Outcomes {
  std::uint64_t count = 0;
  Bounds bounds{100, 0};  // from the worst to the best
};

/// Each move of `role` from its worst to its best outcome; `seen` is scratch.
void from_outcomes(Graph& graph, Node& node, gdl::RoleIndex role, std::uint64_t outcomes,
                   std::vector<Outcomes>& seen) {
  const auto edges = graph.edges(node, role);
  seen.assign(edges.size(), {});
  graph.for_each_child(node, [&](JointCode code, NodeId child) {
    Outcomes& of_move = seen[node.index_in(code, role)];
    const Bounds bounds = graph[child].bounds(role);
    of_move.bounds.low = std::min(of_move.bounds.low, bounds.low);
    of_move.bounds.high = std::max(of_move.bounds.high, bounds.high);
    ++of_move.count;
  });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (seen[i].count < outcomes / node.move_count(role)) continue;
    edges[i].bounds = both(edges[i].bounds, seen[i].bounds);
  }
}

bool from_simultaneous(Graph& graph, Node& node, std::uint64_t outcomes,
                       const SelectionPolicy& policy) {
  // Nothing is known about a move before all its outcomes are known.
  std::uint32_t most_moves = 1;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    most_moves = std::max(most_moves, node.move_count(r));
  }
  const std::uint64_t children = graph.child_count(node);
  if (children < outcomes / most_moves) return false;
  std::vector<Outcomes> seen;
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    Bounds bounds{0, 0};
    if (node.decides(r) && r != policy.random) {
      from_outcomes(graph, node, r, outcomes, seen);
      bounds = shown_bounds(graph, node, r);
    } else if (children < outcomes) {
      bounds = {};
    } else {
      bounds.low = 100;
      graph.for_each_child(node, [&](JointCode, NodeId child) {
        bounds.low = std::min(bounds.low, graph[child].bounds(r).low);
        bounds.high = std::max(bounds.high, graph[child].bounds(r).high);
      });
    }
    changed |= node.tighten(r, bounds);
  }
  return changed;
}

/// The children of the joint moves from `first` to before `last` may have new bounds; where not
/// exactly one role has a choice, any child may.
bool take_bounds(Graph& graph, Node& node, JointCode first, JointCode last,
                 const SelectionPolicy& policy) {
  const std::uint64_t outcomes = node.joint_count();
  if (node.terminal() || node.edges == kNoRef || outcomes == 0) return false;
  node.set_bounded();
  if (!node.has_decider()) return from_simultaneous(graph, node, outcomes, policy);
  const bool chosen = node.decides(node.decider()) && node.decider() != policy.random;
  return chosen ? from_turn(graph, node, first, last) : from_chance(graph, node, outcomes);
}

}  // namespace

bool has_bounds(const Node& node) {
  return node.terminal() || node.bounded();
}

Bounds shown_bounds(const Graph& graph, const Node& node, gdl::RoleIndex role) {
  return best_of(graph.edges(node, role), graph.untried(node, role));
}

bool update_bounds(Graph& graph, NodeId id, JointCode changed, const SelectionPolicy& policy) {
  Node& node = graph[id];
  const Hold held = graph.hold(node);
  return take_bounds(graph, node, changed, changed + 1, policy);
}

bool refresh_bounds(Graph& graph, NodeId id, const SelectionPolicy& policy) {
  Node& node = graph[id];
  const Hold held = graph.hold(node);
  bool proved = false;
  graph.for_each_child(node, [&](JointCode, NodeId child) { proved |= has_bounds(graph[child]); });
  return proved && take_bounds(graph, node, 0, node.tried, policy);
}

}  // namespace ludens::search::mcts
