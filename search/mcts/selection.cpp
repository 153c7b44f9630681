// SPDX-License-Identifier: MIT
#include "search/mcts/selection.h"

#include <algorithm>

#include "search/mcts/grave.h"
#include "search/mcts/prefetch.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kEdgesAhead = 6;  // groups whose edges are fetched before it is their turn

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal()) return true;
  if (!policy.use_bounds || !node.bounded()) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.bounds(r).closed()) return false;
  }
  return true;
}

/// The first line of a node will be changed; of the next, other threads may keep a copy.
void fetch_node(const Node& node) {
  fetch_to_change(&node);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(&node) + kLineBytes);
}

/// The path to a node and on from there.
Path path_after(Path path, const Node& node, JointCode code) {
  path.last.reset();
  if (code != Graph::kNoPlace && node.has_decider()) {
    path.last = {node.decider(), node.move(node.decider(), code)};
  }
  return path;
}

/// Notes the probabilities of the last group's moves, before anything is learned from it.
void note_chances(const Graph& graph, const Node& node, const SelectionPolicy& policy,
                  Descents& descents) {
  const JointCode code = descents.groups.back().code;
  descents.chances.resize(descents.groups.size() * descents.roles, 1);
  const auto chances = std::span(descents.chances).last(descents.roles);
  for (gdl::RoleIndex r = 0; r < descents.roles; ++r) {
    if (!node.decides(r) || r == policy.random || code == Graph::kNoPlace) continue;
    chances[r] = chance_of(graph, node, r, node.index_in(code, r), policy);
  }
}

}  // namespace

void Selection::descend(Graph& graph, const SelectionPolicy& policy, std::uint32_t count,
                        gdl::Rng& rng, Descents& descents) {
  descents.roles = graph[graph.root()].role_count();
  descents.values.assign(count * descents.roles, 0.0);
  descents.paths.assign(policy.guides.by_path() ? 1 : 0, {});
  descents.chances.clear();
  auto& groups = descents.groups;
  groups.clear();
  Group all;
  all.node = graph.root();
  all.count = count;
  groups.push_back(all);
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    const std::size_t ahead = i + kEdgesAhead;
    if (ahead < groups.size() && groups[ahead].node != kNoNode) {
      graph.fetch_edges(graph[groups[ahead].node]);
    }
    if (groups[i].end == End::None) advance(graph, policy, i, rng, descents);
  }
}

/// The descents of a group continue with one joint move each, or the group ends.
void Selection::advance(Graph& graph, const SelectionPolicy& policy, std::uint32_t index,
                        gdl::Rng& rng, Descents& descents) {
  Group& group = descents.groups[index];
  Node& node = graph[group.node];
  const Hold held = graph.hold(node);
  if (node.epoch != policy.epoch) {
    group.end = End::Edge;
  } else if (index > 0 && is_settled(node, policy)) {
    group.end = End::Settled;
  } else if ((policy.depth != 0 && group.depth >= policy.depth) || node.joint_count() == 0) {
    group.end = End::Leaf;
  } else {
    if (policy.guides.grave != nullptr) {
      const MoveTable* const own = policy.guides.grave->reference(group.node, node.visits);
      if (own != nullptr) descents.paths[index].reference = own;
    }
    choose(graph, node, group, policy, descents.path(index), rng);
    divide(graph, node, policy, index, descents);
  }
}

void Selection::choose(Graph& graph, Node& node, const Group& group, const SelectionPolicy& policy,
                       const Path& path, gdl::Rng& rng) {
  chosen_.resize(group.count);
  node.in_flight = static_cast<std::uint16_t>(node.in_flight + group.count);
  if (node.has_decider()) {
    chooser_.choose(graph, node, node.decider(), policy, path, rng, chosen_);
  } else {
    choose_jointly(graph, node, policy, rng);
  }
  const auto stayed = std::ranges::count(chosen_, Graph::kNoPlace);
  node.in_flight = static_cast<std::uint16_t>(node.in_flight - stayed);
}

/// Each role chooses independently, without knowing what the others choose.
void Selection::choose_jointly(Graph& graph, Node& node, const SelectionPolicy& policy,
                               gdl::Rng& rng) {
  if (!graph.make_edges(node)) {
    std::ranges::fill(chosen_, Graph::kNoPlace);
    return;
  }
  std::ranges::fill(chosen_, 0);
  places_.resize(chosen_.size());
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    chooser_.choose(graph, node, r, policy, {}, rng, places_);
    // Roles that spread their descents over moves in the same order would choose in step.
    if (places_.size() > 1) std::ranges::shuffle(places_, rng);
    for (std::size_t i = 0; i < chosen_.size(); ++i) chosen_[i] += stride * places_[i];
    stride *= node.move_count(r);
  }
}

/// Makes a group of the descents that chose the same joint move.
void Selection::divide(Graph& graph, const Node& node, const SelectionPolicy& policy,
                       std::uint32_t index, Descents& descents) {
  const bool by_exp3 = !node.has_decider() && policy.simultaneous == SimultaneousRule::Exp3;
  std::uint32_t first = descents.groups[index].first;
  const auto first_part = static_cast<std::uint32_t>(descents.groups.size());
  const auto add = [&](JointCode code, std::uint32_t count) {
    Group& part = descents.groups.emplace_back();
    part.above = index;
    part.code = code;
    part.first = first;
    part.count = count;
    place(graph, node, part, descents);
    if (by_exp3) note_chances(graph, node, policy, descents);
    first += count;
  };
  const auto count = static_cast<std::uint32_t>(chosen_.size());
  if (count > 1 && node.has_decider() && std::ranges::count(chosen_, Graph::kNoPlace) == 0) {
    tally_.assign(node.tried, 0);
    for (const JointCode code : chosen_) ++tally_[code];
    std::uint32_t left = count;
    for (JointCode code = 0; left > 0; ++code) {
      if (tally_[code] > 0) add(code, tally_[code]);
      left -= tally_[code];
    }
  } else {
    if (count > 1) std::ranges::sort(chosen_);
    for (std::uint32_t i = 0, next = 0; i < count; i = next) {
      while (next < count && chosen_[next] == chosen_[i]) ++next;
      add(chosen_[i], next - i);
    }
  }
  descents.groups[index].first_part = first_part;
  descents.groups[index].part_count =
      static_cast<std::uint32_t>(descents.groups.size()) - first_part;
}

/// Finds the node that a new part has reached by its joint move, if there is one.
void Selection::place(Graph& graph, const Node& node, Group& part, Descents& descents) {
  const Group& whole = descents.groups[part.above];
  part.depth = whole.depth;
  if (part.code == Graph::kNoPlace) {
    part.node = whole.node;
    part.end = End::Leaf;
  } else {
    ++part.depth;
    part.node = graph.child(node, part.code);
    part.end = part.node == kNoNode ? End::Edge : End::None;
    if (part.node != kNoNode) fetch_node(graph[part.node]);
  }
  if (!descents.paths.empty()) {
    descents.paths.push_back(path_after(descents.paths[part.above], node, part.code));
  }
}

}  // namespace ludens::search::mcts
