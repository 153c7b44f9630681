// SPDX-License-Identifier: MIT
#include "search/mcts/backpropagation.h"

#include <algorithm>
#include <bit>

#include "search/mcts/chance.h"
#include "search/mcts/prefetch.h"
#include "search/mcts/proof_numbers.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

/// Between two looks at the bounds of a child, which another thread may have in its cache.
constexpr std::uint64_t kVisitsPerChild = 128;
constexpr std::size_t kAhead = 6;  // groups whose edges are fetched before it is their turn

/// Updates an edge with the sum of the values of a part's descents, or with the mean of the part's
/// node if that has more visits.
void update(Edge& edge, const Descents::Group& part, double sum) {
  edge.in_flight = static_cast<std::uint16_t>(edge.in_flight - part.count);
  edge.visits += part.count;
  const auto change = static_cast<float>(sum) - static_cast<float>(part.count) * edge.mean;
  const bool node_knows = part.visits >= edge.visits;
  edge.mean = node_knows ? part.mean : edge.mean + change / static_cast<float>(edge.visits);
}

/// Whether one of the last `count` visits was the one in many at which a node looks at all of its
/// children: for each visit, it looks at a small part of one.
bool is_refresh_due(const Node& node, std::uint32_t count) {
  const std::uint64_t period = std::bit_ceil(node.joint_count()) * kVisitsPerChild;
  return (node.visits & (period - 1)) < count;
}

/// Removes descents that had chosen a joint move from those in flight.
void drop(Graph& graph, Node& node, JointCode code, std::uint32_t count) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.has_decider() ? r != node.decider() : !node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(code, r)];
    edge.in_flight = static_cast<std::uint16_t>(edge.in_flight - count);
  }
}

/// Fetches the edges that the parts of a group took. Another thread may have changed any of them;
/// one thread alone finds all but the first in its caches.
void fetch_edges(const Graph& graph, const Descents& descents, const Descents::Group& group) {
  if (group.part_count == 0) return;
  if (!graph.serves_threads()) return graph.fetch_edges(graph[group.node]);
  for (const Descents::Group& part : descents.parts(group)) {
    if (part.code != Graph::kNoPlace) graph.fetch_edge(graph[group.node], part.code);
  }
}

}  // namespace

void Backpropagation::run(Graph& graph, const SelectionPolicy& policy, Descents& descents) {
  auto& groups = descents.groups;
  roles_ = descents.roles;
  sums_.assign(groups.size() * roles_, 0.0);
  proof_numbers_.assign(policy.guides.proofs.weight > 0 ? groups.size() * roles_ : 0, 1);
  for (std::size_t i = groups.size(); i-- > 0;) {
    if (i >= 2 * kAhead && groups[i - 2 * kAhead].node != kNoNode) {
      fetch_to_change(&graph[groups[i - 2 * kAhead].node]);
    }
    if (i >= kAhead) fetch_edges(graph, descents, groups[i - kAhead]);
    Group& group = groups[i];
    add_up(descents, i);
    if (group.node == kNoNode || (i > 0 && group.code == Graph::kNoPlace)) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Group& part : descents.parts(group)) {
      if (part.code != Graph::kNoPlace) update_edges(graph, node, part, policy, descents);
    }
    if (group.part_count > 0 && policy.use_bounds && node.bounded()) {
      policy.noisy_results ? clamp_mean(descents, i, node) : clamp(descents, i, node);
    }
    node.visits += group.count;
    group.refresh_due = group.part_count > 0 && is_refresh_due(node, group.count);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) node.sum(r) += sums(i)[r];
    if (!proof_numbers_.empty()) {
      find_proof_numbers(graph, node, policy.guides.proofs.goals, proof_numbers(i));
    }
    if (group.above == Descents::kNoGroup) continue;
    const Node& above = graph[groups[group.above].node];
    if (!above.has_decider()) continue;
    group.visits = node.visits;
    group.mean = value_of(graph, node, above.decider(), policy.random);
  }
}

/// The values of a group's descents, or, after those have been added up, of its parts.
void Backpropagation::add_up(Descents& descents, std::size_t index) {
  const Group& group = descents.groups[index];
  const auto total = sums(index);
  for (std::uint32_t part = 0; part < group.part_count; ++part) {
    const auto sum = sums(group.first_part + part);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) total[r] += sum[r];
  }
  if (group.part_count > 0) return;
  for (const std::uint32_t member : Descents::members(group)) {
    const auto value = descents.value(member);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) total[r] += value[r];
  }
}

/// Updates the edges of a node that a part of its descents took.
void Backpropagation::update_edges(Graph& graph, Node& node, const Group& part,
                                   const SelectionPolicy& policy, Descents& descents) {
  const auto index = static_cast<std::size_t>(&part - descents.groups.data());
  node.in_flight = static_cast<std::uint16_t>(node.in_flight - part.count);
  if (node.has_decider()) {
    const gdl::RoleIndex role = node.decider();
    update(graph.edges(node, role)[part.code], part, sums(index)[role]);
    if (!proof_numbers_.empty() && part.node != kNoNode) {
      std::ranges::copy(proof_numbers(index),
                        graph.proof_numbers(node).subspan(part.code * roles_).begin());
    }
    return;
  }
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (!node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(part.code, r)];
    update(edge, part, sums(index)[r]);
    if (r == policy.random || policy.simultaneous == SimultaneousRule::Uct) continue;
    learn(graph, node, r, {part.code, part.count, sums(index)[r], descents.chance(index, r)},
          policy);
  }
}

/// Clamps a group's values to the bounds of its node.
void Backpropagation::clamp(Descents& descents, std::size_t index, const Node& node) {
  const auto total = sums(index);
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const Bounds bounds = node.bounds(r);
    if (bounds == Bounds()) continue;
    total[r] = 0;
    for (const std::uint32_t member : Descents::members(descents.groups[index])) {
      double& value = descents.value(member)[r];
      value = std::clamp(value, bounds.low / 100.0, bounds.high / 100.0);
      total[r] += value;
    }
  }
}

/// Changes a group's values, all alike, so that the mean of its node stays within the bounds. What
/// was proved since the last visit changes the earlier ones here, but not on the paths that led
/// here.
void Backpropagation::clamp_mean(Descents& descents, std::size_t index, Node& node) {
  const Group& group = descents.groups[index];
  const auto total = sums(index);
  const double before = node.visits, after = before + group.count;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const Bounds bounds = node.bounds(r);
    if (bounds == Bounds()) continue;
    const double low = bounds.low / 100.0, high = bounds.high / 100.0;
    node.sum(r) = std::clamp(node.sum(r), before * low, before * high);
    const double sum = node.sum(r) + total[r];
    const double change = std::clamp(sum, after * low, after * high) - sum;
    if (change == 0) continue;
    total[r] += change;
    for (const std::uint32_t member : Descents::members(group)) {
      descents.value(member)[r] += change / group.count;
    }
  }
}

void cancel(Graph& graph, const Descents& descents) {
  for (const Descents::Group& group : descents.groups) {
    if (group.part_count == 0) continue;
    Node& node = graph[group.node];
    const Hold held = graph.hold(node);
    for (const Descents::Group& part : descents.parts(group)) {
      if (part.code == Graph::kNoPlace) continue;
      node.in_flight = static_cast<std::uint16_t>(node.in_flight - part.count);
      drop(graph, node, part.code, part.count);
    }
  }
}

}  // namespace ludens::search::mcts
