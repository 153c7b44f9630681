#include "search/mcts/flight.h"

#include <algorithm>

#include "search/mcts/chance.h"
#include "search/mcts/grave.h"
#include "search/mcts/prefetch.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kAhead = 6;  // groups whose edges are fetched before it is their turn
constexpr std::size_t kLines = 2;    // of a node that are fetched

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal()) return true;
  if (!policy.use_bounds || !node.bounded()) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.bounds(r).closed()) return false;
  }
  return true;
}

void fetch_edges(const Graph& graph, const Flight::Group& group) {
  if (group.node != kNoNode) graph.fetch_edges(graph[group.node]);
}

/// Descents that had chosen a joint move are no longer on their way.
void drop(Graph& graph, Node& node, JointCode code, std::uint32_t count) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.has_decider() ? r != node.decider() : !node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(code, r)];
    edge.in_flight = static_cast<std::uint16_t>(edge.in_flight - count);
  }
}

/// The way to a node and on from there.
Way way_after(Way way, const Node& node, JointCode code) {
  way.last.reset();
  if (code != Graph::kNoPlace && node.has_decider()) {
    way.last = {node.decider(), node.move(node.decider(), code)};
  }
  return way;
}

/// A part's descents land on an edge, whose mean is that of the part's node then or takes up the
/// sum of their values.
void land_on(Edge& edge, const Flight::Group& part, double sum) {
  edge.in_flight = static_cast<std::uint16_t>(edge.in_flight - part.count);
  edge.visits += part.count;
  const auto change = static_cast<float>(sum) - static_cast<float>(part.count) * edge.mean;
  const bool node_knows = part.visits >= edge.visits;
  edge.mean = node_knows ? part.mean : edge.mean + change / static_cast<float>(edge.visits);
}

}  // namespace

void Flight::go_down(Graph& graph, const SelectionPolicy& policy, std::uint32_t count,
                     gdl::Rng& rng) {
  roles_ = graph[graph.root()].role_count();
  values_.assign(count * roles_, 0.0);
  groups_.clear();
  Group all;
  all.node = graph.root();
  all.count = count;
  groups_.push_back(all);
  ways_.assign(policy.guides.by_way() ? 1 : 0, {});
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (i + kAhead < groups_.size()) fetch_edges(graph, groups_[i + kAhead]);
    if (groups_[i].end == End::None) advance(graph, i, policy, rng);
  }
}

/// A group goes on by one joint move each, or has come to its end.
void Flight::advance(Graph& graph, std::uint32_t index, const SelectionPolicy& policy,
                     gdl::Rng& rng) {
  Group& group = groups_[index];
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
      if (own != nullptr) ways_[index].reference = own;
    }
    choose(graph, node, group, policy, way(index), rng);
    divide(graph, node, index);
  }
}

void Flight::choose(Graph& graph, Node& node, const Group& group, const SelectionPolicy& policy,
                    const Way& way, gdl::Rng& rng) {
  chosen_.resize(group.count);
  node.in_flight = static_cast<std::uint16_t>(node.in_flight + group.count);
  if (node.has_decider()) {
    chooser_.choose(graph, node, node.decider(), policy, way, rng, chosen_);
  } else {
    choose_jointly(graph, node, policy, rng);
  }
  const auto stayed = std::ranges::count(chosen_, Graph::kNoPlace);
  node.in_flight = static_cast<std::uint16_t>(node.in_flight - stayed);
}

/// Each role by itself, without knowing what the others choose.
void Flight::choose_jointly(Graph& graph, Node& node, const SelectionPolicy& policy,
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
    for (std::size_t i = 0; i < chosen_.size(); ++i) chosen_[i] += stride * places_[i];
    stride *= node.move_count(r);
  }
}

/// Makes a group of those that chose the same joint move.
void Flight::divide(Graph& graph, const Node& node, std::uint32_t index) {
  const std::uint32_t first = groups_[index].first;
  groups_[index].first_part = static_cast<std::uint32_t>(groups_.size());
  const auto count = static_cast<std::uint32_t>(chosen_.size());
  if (count > 1 && node.has_decider() && std::ranges::count(chosen_, Graph::kNoPlace) == 0) {
    tally_.assign(node.tried, 0);
    for (const JointCode code : chosen_) ++tally_[code];
    std::uint32_t at = first;
    for (JointCode code = 0; at < first + count; ++code) {
      if (tally_[code] > 0) add_part(graph, node, index, code, at, tally_[code]);
      at += tally_[code];
    }
  } else {
    if (count > 1) std::ranges::sort(chosen_);
    for (std::uint32_t i = 0, next = 0; i < count; i = next) {
      while (next < count && chosen_[next] == chosen_[i]) ++next;
      add_part(graph, node, index, chosen_[i], first + i, next - i);
    }
  }
  groups_[index].part_count =
      static_cast<std::uint32_t>(groups_.size()) - groups_[index].first_part;
}

void Flight::add_part(Graph& graph, const Node& node, std::uint32_t whole, JointCode code,
                      std::uint32_t first, std::uint32_t count) {
  Group part;
  part.above = whole;
  part.code = code;
  part.first = first;
  part.count = count;
  part.depth = groups_[whole].depth;
  if (code == Graph::kNoPlace) {
    part.node = groups_[whole].node;
    part.end = End::Leaf;
  } else {
    ++part.depth;
    part.node = graph.child(node, code);
    part.end = part.node == kNoNode ? End::Edge : End::None;
    if (part.node != kNoNode) fetch_to_change(&graph[part.node], kLines);
  }
  groups_.push_back(part);
  if (!ways_.empty()) ways_.push_back(way_after(ways_[whole], node, code));
}

/// The values of its descents, or, after those have been added up, of its parts.
void Flight::add_up(const Group& group) {
  const auto total = sums(group);
  if (group.part_count > 0) {
    for (const Group& part : parts(group)) {
      const auto sum = sums(part);
      for (gdl::RoleIndex r = 0; r < roles_; ++r) total[r] += sum[r];
    }
    return;
  }
  for (const std::uint32_t member : members(group)) {
    for (gdl::RoleIndex r = 0; r < roles_; ++r) total[r] += values_[member * roles_ + r];
  }
}

void Flight::land_part(Graph& graph, Node& node, const Group& part, const SelectionPolicy& policy) {
  node.in_flight = static_cast<std::uint16_t>(node.in_flight - part.count);
  if (node.has_decider()) {
    const gdl::RoleIndex role = node.decider();
    land_on(graph.edges(node, role)[part.code], part, sums(part)[role]);
    if (!efforts_.empty() && part.node != kNoNode) {
      graph.efforts(node)[part.code] = efforts_[static_cast<std::size_t>(&part - groups_.data())];
    }
    return;
  }
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (!node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(part.code, r)];
    land_on(edge, part, sums(part)[r]);
    if (r == policy.random || policy.simultaneous == SimultaneousRule::Uct) continue;
    for (const std::uint32_t member : members(part)) {
      learn(graph, node, r, part.code, value(member)[r], policy);
    }
  }
}

void Flight::land(Graph& graph, const SelectionPolicy& policy) {
  sums_.assign(groups_.size() * roles_, 0.0);
  efforts_.assign(policy.guides.proofs.weight > 0 ? groups_.size() : 0, {});
  for (std::size_t i = groups_.size(); i-- > 0;) {
    if (i >= 2 * kAhead && groups_[i - 2 * kAhead].node != kNoNode) {
      fetch_to_change(&graph[groups_[i - 2 * kAhead].node]);
    }
    if (i >= kAhead && groups_[i - kAhead].part_count > 0) fetch_edges(graph, groups_[i - kAhead]);
    Group& group = groups_[i];
    add_up(group);
    if (group.node == kNoNode || (i > 0 && group.code == Graph::kNoPlace)) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Group& part : parts(group)) {
      if (part.code != Graph::kNoPlace) land_part(graph, node, part, policy);
    }
    if (group.part_count > 0 && policy.use_bounds && node.bounded()) clamp(group, node);
    node.visits += group.count;
    for (gdl::RoleIndex r = 0; r < roles_; ++r) node.sum(r) += sums(group)[r];
    if (!efforts_.empty()) efforts_[i] = effort_of(graph, node, policy.guides.proofs);
    if (group.above == kNoGroup) continue;
    const Node& above = graph[groups_[group.above].node];
    if (!above.has_decider()) continue;
    group.visits = node.visits;
    group.mean = value_of(graph, node, above.decider(), policy.random);
  }
}

/// Brings the group's values within the bounds of its node.
void Flight::clamp(const Group& group, const Node& node) {
  const auto total = sums(group);
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const Bounds bounds = node.bounds(r);
    if (bounds == Bounds()) continue;
    total[r] = 0;
    for (const std::uint32_t member : members(group)) {
      double& value = values_[member * roles_ + r];
      value = std::clamp(value, bounds.low / 100.0, bounds.high / 100.0);
      total[r] += value;
    }
  }
}

void Flight::take_back(Graph& graph) {
  for (const Group& group : groups_) {
    if (group.part_count == 0) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Group& part : parts(group)) {
      if (part.code == Graph::kNoPlace) continue;
      node.in_flight = static_cast<std::uint16_t>(node.in_flight - part.count);
      drop(graph, node, part.code, part.count);
    }
  }
}

}  // namespace ludens::search::mcts
