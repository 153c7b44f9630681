#include "search/mcts/selection.h"

#include <algorithm>
#include <cmath>

#include "search/mcts/score.h"

namespace ludens::search::mcts {

namespace {

/// What the bounds of a role's edges say together.
struct Outlook {
  std::uint8_t best_low = 0;
  bool open = false;  // some move may be worth more than `best_low`

  explicit Outlook(std::span<const Edge> edges) {
    for (const Edge& edge : edges) best_low = std::max(best_low, edge.bounds.low);
    for (const Edge& edge : edges) open |= edge.bounds.high > best_low;
  }
  [[nodiscard]] bool admits(const Edge& edge) const {
    if (open) return edge.bounds.high > best_low && !edge.bounds.closed();
    return edge.bounds.low == best_low;
  }
};

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal) return true;
  if (!policy.use_bounds) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.role(r).bounds.closed()) return false;
  }
  return true;
}

void lift(Node& node, const Step& step, int by) {
  node.in_flight += by;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    Edge& edge = node.edges(r)[node.index_in(step.code, r)];
    edge.in_flight = static_cast<std::uint16_t>(edge.in_flight + by);
  }
}

JointCode choose_joint_move(const Node& node, const SelectionPolicy& policy, gdl::Rng& rng) {
  JointCode code = 0;
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    code += stride * choose_move(node, r, policy, rng);
    stride *= node.move_count(r);
  }
  return code;
}

void clamp_to_bounds(const Node& node, std::span<double> value) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    const Bounds& bounds = node.role(r).bounds;
    value[r] = std::clamp(value[r], bounds.low / 100.0, bounds.high / 100.0);
  }
}

void add_value(Node& node, std::span<const double> value) {
  ++node.visits;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) node.role(r).sum += value[r];
}

}  // namespace

bool is_candidate(const Edge& edge, std::span<const Edge> all) {
  return Outlook(all).admits(edge);
}

std::uint32_t choose_move(const Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
                          gdl::Rng& rng) {
  const std::uint32_t count = node.move_count(role);
  if (role == policy.random) return rng.below(count);
  const auto edges = node.edges(role);
  const Outlook outlook(edges);
  const std::uint32_t start = policy.first_ties ? 0 : rng.below(count);
  const double trials = std::max<double>(1, node.visits + node.in_flight);
  const double node_mean = node.visits > 0 ? node.role(role).sum / node.visits : 0.5;
  std::uint32_t best = start;
  double best_score = -1;
  for (std::uint32_t k = 0, i = start; k < count; ++k, i = i + 1 == count ? 0 : i + 1) {
    const Edge& edge = edges[i];
    if (edge.bounds.low == 100) return i;
    if (policy.use_bounds && !outlook.admits(edge)) continue;
    const std::uint32_t tried = edge.visits + edge.in_flight;
    double score = std::numeric_limits<double>::max();
    if (tried > 0) {
      const double sum = edge.visits > 0 ? edge.sum : node_mean * tried;
      score = ucb_score(sum, tried, trials, policy.gamma);
    }
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

Descent descend(Tree& tree, const SelectionPolicy& policy, gdl::Rng& rng,
                std::vector<Step>& steps) {
  Descent descent;
  descent.first_step = static_cast<std::uint32_t>(steps.size());
  NodeId id = tree.root();
  for (;;) {
    Node& node = tree[id];
    descent.leaf = id;
    if (id != tree.root() && is_settled(node, policy)) {
      descent.end = Descent::End::Settled;
      break;
    }
    const bool deep = policy.depth != 0 && descent.step_count >= policy.depth;
    if (deep || node.joint_count() == 0 || !tree.grow(node)) {
      descent.end = Descent::End::Leaf;
      break;
    }
    const Step step{id, choose_joint_move(node, policy, rng)};
    lift(node, step, 1);
    steps.push_back(step);
    ++descent.step_count;
    id = node.child(step.code);
    if (id == kNoNode || tree[id].epoch != policy.epoch) {
      descent.end = Descent::End::Edge;
      descent.leaf = id;
      break;
    }
  }
  return descent;
}

void back_up(Tree& tree, const Descent& descent, std::span<const Step> steps,
             const SelectionPolicy& policy, std::span<double> value) {
  take_back(tree, descent, steps);
  if (descent.leaf != kNoNode) add_value(tree[descent.leaf], value);
  for (std::uint32_t i = descent.step_count; i-- > 0;) {
    const Step& step = steps[descent.first_step + i];
    Node& node = tree[step.node];
    for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
      if (!node.decides(r)) continue;
      Edge& edge = node.edges(r)[node.index_in(step.code, r)];
      ++edge.visits;
      edge.sum += value[r];
    }
    if (policy.use_bounds) clamp_to_bounds(node, value);
    add_value(node, value);
  }
}

void take_back(Tree& tree, const Descent& descent, std::span<const Step> steps) {
  for (const Step& step : steps.subspan(descent.first_step, descent.step_count)) {
    lift(tree[step.node], step, -1);
  }
}

}  // namespace ludens::search::mcts
