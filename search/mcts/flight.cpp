#include "search/mcts/flight.h"

#include <algorithm>
#include <numeric>

#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kAhead = 6;  // groups whose edges are fetched before it is their turn
constexpr std::size_t kLine = 64;    // bytes that memory is fetched by
constexpr std::size_t kLines = 2;    // of a node or of its edges

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal()) return true;
  if (!policy.use_bounds || !node.bounded()) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.bounds(r).closed()) return false;
  }
  return true;
}

void fetch(const void* block) {
  for (std::size_t line = 0; line < kLines; ++line) {
    __builtin_prefetch(static_cast<const char*>(block) + line * kLine);
  }
}

/// The descent passes a joint move, or takes that back: so many more in flight there.
void lift(Graph& graph, Node& node, JointCode code, int by) {
  const auto add = [by](std::uint16_t& count) { count = static_cast<std::uint16_t>(count + by); };
  add(node.in_flight);
  if (node.has_decider()) return add(graph.edges(node, node.decider())[code].in_flight);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.decides(r)) add(graph.edges(node, r)[node.index_in(code, r)].in_flight);
  }
}

/// kNoPlace if there is no memory.
JointCode choose_joint_move(Graph& graph, Node& node, const SelectionPolicy& policy,
                            gdl::Rng& rng) {
  if (node.has_decider()) return choose_move(graph, node, node.decider(), policy, rng);
  JointCode code = 0;
  JointCode stride = 1;
  const bool drawn = policy.simultaneous != SimultaneousRule::Uct;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    const std::uint32_t place = drawn && r != policy.random
                                    ? draw_move(graph, node, r, policy, rng)
                                    : choose_move(graph, node, r, policy, rng);
    if (place == Graph::kNoPlace) return Graph::kNoPlace;
    code += stride * place;
    stride *= node.move_count(r);
  }
  return code;
}

void clamp_to_bounds(const Node& node, std::span<double> value) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    const Bounds bounds = node.bounds(r);
    value[r] = std::clamp(value[r], bounds.low / 100.0, bounds.high / 100.0);
  }
}

/// So many descents land on an edge, whose mean is `mean` then or takes up the sum of their values.
void land_on(Edge& edge, std::uint32_t count, const float* mean, double sum) {
  edge.in_flight = static_cast<std::uint16_t>(edge.in_flight - count);
  edge.visits += count;
  const auto change = static_cast<float>(sum) - static_cast<float>(count) * edge.mean;
  edge.mean = mean != nullptr ? *mean : edge.mean + change / static_cast<float>(edge.visits);
}

}  // namespace

void Flight::go_down(Graph& graph, const SelectionPolicy& policy, std::uint32_t count,
                     gdl::Rng& rng) {
  roles_ = graph[graph.root()].role_count();
  members_.resize(count);
  std::iota(members_.begin(), members_.end(), 0U);
  values_.assign(count * roles_, 0.0);
  groups_.clear();
  Group all;
  all.node = graph.root();
  all.count = count;
  groups_.push_back(all);
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (i + kAhead < groups_.size() && groups_[i + kAhead].node != kNoNode) {
      graph.fetch_edges(graph[groups_[i + kAhead].node]);
    }
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
    choose(graph, node, group, policy, rng);
    divide(graph, node, index);
  }
}

void Flight::choose(Graph& graph, Node& node, const Group& group, const SelectionPolicy& policy,
                    gdl::Rng& rng) {
  chosen_.clear();
  for (const std::uint32_t member : members(group)) {
    const JointCode code = choose_joint_move(graph, node, policy, rng);
    if (code != Graph::kNoPlace) lift(graph, node, code, 1);
    chosen_.push_back({code, member});
  }
  if (chosen_.size() > 1) std::ranges::sort(chosen_);
}

/// Makes a group of those that chose the same joint move.
void Flight::divide(Graph& graph, const Node& node, std::uint32_t index) {
  const Group whole = groups_[index];
  groups_[index].first_part = static_cast<std::uint32_t>(groups_.size());
  for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
    const JointCode code = chosen_[i].code;
    members_[whole.first + i] = chosen_[i].member;
    if (i > 0 && code == chosen_[i - 1].code) {
      ++groups_.back().count;
      continue;
    }
    Group part;
    part.above = index;
    part.code = code;
    part.first = whole.first + i;
    part.count = 1;
    part.depth = whole.depth;
    if (code == Graph::kNoPlace) {
      part.node = whole.node;
      part.end = End::Leaf;
    } else {
      ++part.depth;
      part.node = graph.child(node, code);
      part.end = part.node == kNoNode ? End::Edge : End::None;
      if (part.node != kNoNode) fetch(&graph[part.node]);
    }
    groups_.push_back(part);
  }
  groups_[index].part_count =
      static_cast<std::uint32_t>(groups_.size()) - groups_[index].first_part;
}

double Flight::sum_of(const Group& group, gdl::RoleIndex role) const {
  double sum = 0;
  for (const std::uint32_t member : members(group)) sum += values_[member * roles_ + role];
  return sum;
}

void Flight::land_part(Graph& graph, Node& node, const Group& part, const SelectionPolicy& policy) {
  node.in_flight = static_cast<std::uint16_t>(node.in_flight - part.count);
  if (node.has_decider()) {
    const gdl::RoleIndex role = node.decider();
    const float* const mean = part.has_mean ? &part.mean : nullptr;
    land_on(graph.edges(node, role)[part.code], part.count, mean,
            mean == nullptr ? sum_of(part, role) : 0);
    return;
  }
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (!node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(part.code, r)];
    land_on(edge, part.count, nullptr, sum_of(part, r));
    if (r == policy.random || policy.simultaneous == SimultaneousRule::Uct) continue;
    for (const std::uint32_t member : members(part)) {
      learn(graph, node, r, part.code, value(member)[r], policy);
    }
  }
}

void Flight::land(Graph& graph, const SelectionPolicy& policy) {
  for (std::size_t i = groups_.size(); i-- > 0;) {
    Group& group = groups_[i];
    if (group.node == kNoNode || (i > 0 && group.code == Graph::kNoPlace)) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Group& part : parts(group)) {
      if (part.code != Graph::kNoPlace) land_part(graph, node, part, policy);
    }
    if (group.part_count > 0 && policy.use_bounds && node.bounded()) {
      for (const std::uint32_t member : members(group)) clamp_to_bounds(node, value(member));
    }
    node.visits += group.count;
    for (gdl::RoleIndex r = 0; r < roles_; ++r) node.sum(r) += sum_of(group, r);
    if (group.above == kNoGroup) continue;
    const Node& above = graph[groups_[group.above].node];
    group.has_mean = above.has_decider();
    if (group.has_mean) group.mean = node.mean(above.decider());
  }
}

void Flight::take_back(Graph& graph) {
  for (const Group& group : groups_) {
    if (group.part_count == 0) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Group& part : parts(group)) {
      if (part.code == Graph::kNoPlace) continue;
      for (std::uint32_t i = 0; i < part.count; ++i) lift(graph, node, part.code, -1);
    }
  }
}

}  // namespace ludens::search::mcts
