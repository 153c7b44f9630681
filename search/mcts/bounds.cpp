#include "search/mcts/bounds.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

bool set_bounds(Node& node, gdl::RoleIndex role, Bounds bounds) {
  if (node.role(role).bounds == bounds) return false;
  node.role(role).bounds = bounds;
  return true;
}

/// The decider takes its best, the others their worst.
bool from_turn(Tree& tree, Node& node, gdl::RoleIndex decider) {
  const auto edges = node.edges(decider);
  node.for_each_child([&](JointCode code, NodeId child) {
    edges[node.index_in(code, decider)].bounds = tree[child].role(decider).bounds;
  });
  const bool complete = node.child_count() == edges.size();
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    Bounds bounds;
    if (r == decider) {
      bounds = {0, 0};
      for (const Edge& edge : edges) {
        bounds.low = std::max(bounds.low, edge.bounds.low);
        bounds.high = std::max(bounds.high, edge.bounds.high);
      }
    } else {
      bounds.low = complete ? 100 : 0;
      node.for_each_child([&](JointCode, NodeId child) {
        bounds.low = std::min(bounds.low, tree[child].role(r).bounds.low);
        bounds.high = std::min(bounds.high, tree[child].role(r).bounds.high);
      });
    }
    changed |= set_bounds(node, r, bounds);
  }
  return changed;
}

/// The mean of equally likely outcomes; also right for the only outcome of a node without choice.
bool from_chance(Tree& tree, Node& node, std::uint64_t outcomes) {
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    std::uint64_t low = 0;
    std::uint64_t high = 100 * (outcomes - node.child_count());
    node.for_each_child([&](JointCode, NodeId child) {
      low += tree[child].role(r).bounds.low;
      high += tree[child].role(r).bounds.high;
    });
    changed |= set_bounds(node, r,
                          {static_cast<std::uint8_t>(low / outcomes),
                           static_cast<std::uint8_t>((high + outcomes - 1) / outcomes)});
  }
  return changed;
}

/// Each move of `role` from its worst to its best outcome; `seen` is scratch.
void from_outcomes(Tree& tree, Node& node, gdl::RoleIndex role, std::uint64_t outcomes,
                   std::vector<std::uint32_t>& seen) {
  const auto edges = node.edges(role);
  seen.assign(edges.size(), 0);
  for (Edge& edge : edges) edge.bounds = {100, 0};
  node.for_each_child([&](JointCode code, NodeId child) {
    const std::uint32_t i = node.index_in(code, role);
    const Bounds& bounds = tree[child].role(role).bounds;
    edges[i].bounds.low = std::min(edges[i].bounds.low, bounds.low);
    edges[i].bounds.high = std::max(edges[i].bounds.high, bounds.high);
    ++seen[i];
  });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (seen[i] < outcomes / edges.size()) edges[i].bounds = {};
  }
}

bool from_simultaneous(Tree& tree, Node& node, std::uint64_t outcomes,
                       std::optional<gdl::RoleIndex> random) {
  // Nothing is known of a move before all its outcomes are.
  std::uint32_t most_moves = 1;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    most_moves = std::max(most_moves, node.move_count(r));
  }
  if (node.child_count() < outcomes / most_moves) return false;
  std::vector<std::uint32_t> seen;
  bool changed = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    Bounds bounds{0, 0};
    if (node.decides(r) && r != random) {
      from_outcomes(tree, node, r, outcomes, seen);
      for (const Edge& edge : node.edges(r)) {
        bounds.low = std::max(bounds.low, edge.bounds.low);
        bounds.high = std::max(bounds.high, edge.bounds.high);
      }
    } else if (node.child_count() < outcomes) {
      bounds = {};
    } else {
      bounds.low = 100;
      node.for_each_child([&](JointCode, NodeId child) {
        bounds.low = std::min(bounds.low, tree[child].role(r).bounds.low);
        bounds.high = std::max(bounds.high, tree[child].role(r).bounds.high);
      });
    }
    changed |= set_bounds(node, r, bounds);
  }
  return changed;
}

}  // namespace

bool update_bounds(Tree& tree, NodeId id, std::optional<gdl::RoleIndex> random) {
  Node& node = tree[id];
  const std::uint64_t outcomes = node.joint_count();
  if (node.terminal || !node.grown() || outcomes == 0) return false;
  std::optional<gdl::RoleIndex> decider;
  std::size_t deciders = 0;
  bool chance = false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    if (r == random) {
      chance = true;
    } else {
      decider = r;
      ++deciders;
    }
  }
  if (deciders == 0) return from_chance(tree, node, outcomes);
  if (deciders == 1 && !chance) return from_turn(tree, node, *decider);
  return from_simultaneous(tree, node, outcomes, random);
}

}  // namespace ludens::search::mcts
