#include "search/mcts/selection.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/mcts/score.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kInterleaved = 8;  // descents on their way at a time
constexpr std::size_t kLine = 64;        // bytes that memory is fetched by

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal()) return true;
  if (!policy.use_bounds) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.bounds(r).closed()) return false;
  }
  return true;
}

bool is_marked(float value) {
  return value == kNeverChosen || value == kAlwaysChosen;
}

/// What selection reads of an edge, from its counts.
void rate_edge(const EdgeList& list, std::uint32_t i, float node_mean) {
  const Edge& edge = list.edges[i];
  const std::uint32_t tried = edge.visits + edge.in_flight;
  if (tried == 0) {
    list.value[i] = unvisited_score(i);
    list.spread[i] = 0;
    return;
  }
  const float share = 1.0F / static_cast<float>(tried);
  const float won = edge.mean * static_cast<float>(edge.visits);
  list.value[i] = edge.visits > 0 ? won * share : node_mean;
  list.spread[i] = std::sqrt(share);
}

void refresh(const EdgeList& list, std::uint32_t i, float node_mean) {
  if (!is_marked(list.value[i])) rate_edge(list, i, node_mean);
}

float mean_of(const Node& node, gdl::RoleIndex role) {
  return node.visits > 0 ? static_cast<float>(node.sum(role) / node.visits) : 0.5F;
}

/// The edge with the largest score, the first of equals.
std::uint32_t largest(const EdgeList& list, float exploration) {
  const __m128 weight = _mm_set1_ps(exploration);
  const auto score = [&](std::uint32_t i) {
    return _mm_add_ps(_mm_loadu_ps(list.value + i),
                      _mm_mul_ps(weight, _mm_loadu_ps(list.spread + i)));
  };
  const std::uint32_t count = list.size();
  __m128 most = score(0);
  for (std::uint32_t i = 4; i < count; i += 4) most = _mm_max_ps(most, score(i));
  most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(1, 0, 3, 2)));
  most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(2, 3, 0, 1)));
  for (std::uint32_t i = 0; i < count; i += 4) {
    const int equal = _mm_movemask_ps(_mm_cmpeq_ps(score(i), most));
    if (equal != 0) return i + static_cast<std::uint32_t>(std::countr_zero(unsigned(equal)));
  }
  return 0;
}

void prefetch_node(const Graph& graph, NodeId id) {
  const auto* bytes = reinterpret_cast<const char*>(&graph[id]);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + kLine);
}

void prefetch_edges(const Graph& graph, const Node& node) {
  if (node.edges == kNoRef || !node.has_decider()) return;
  const EdgeList list = graph.edges(node, node.decider());
  const auto* bytes = reinterpret_cast<const char*>(list.value);
  for (std::size_t at = 0; at < list.size() * 2 * sizeof(float); at += kLine) {
    __builtin_prefetch(bytes + at);
  }
}

/// The descent passes, or has passed, an edge of a role: it counts one more or one less in flight.
void lift_edge(Graph& graph, Node& node, gdl::RoleIndex role, std::uint32_t i, int by) {
  const EdgeList list = graph.edges(node, role);
  Edge& edge = list.edges[i];
  edge.in_flight = static_cast<std::uint16_t>(edge.in_flight + by);
  refresh(list, i, mean_of(node, role));
}

void lift(Graph& graph, Node& node, JointCode code, int by) {
  node.in_flight = static_cast<std::uint16_t>(node.in_flight + by);
  if (node.has_decider()) return lift_edge(graph, node, node.decider(), code, by);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.decides(r)) lift_edge(graph, node, r, node.index_in(code, r), by);
  }
}

/// Edges are rated by the policy of the time; whether bounds count may change once or twice.
void rate_by(const Graph& graph, Node& node, const SelectionPolicy& policy) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.decides(r)) rate(graph, node, r, policy);
  }
  node.set_rated_by_bounds(policy.use_bounds);
}

JointCode choose_joint_move(const Graph& graph, Node& node, const SelectionPolicy& policy,
                            gdl::Rng& rng) {
  if (node.rated_by_bounds() != policy.use_bounds) rate_by(graph, node, policy);
  if (node.has_decider()) return choose_move(graph, node, node.decider(), policy, rng);
  JointCode code = 0;
  JointCode stride = 1;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    code += stride * choose_move(graph, node, r, policy, rng);
    stride *= node.move_count(r);
  }
  return code;
}

/// A descent goes on by one move; true if it has come to its end.
bool go_down(Graph& graph, const SelectionPolicy& policy, gdl::Rng& rng, NodeId& at,
             std::vector<Step>& path, Descent& descent) {
  Node& node = graph[at];
  descent.leaf = at;
  if (node.epoch != policy.epoch) {
    descent.end = Descent::End::Edge;
    return true;
  }
  if (at != graph.root() && is_settled(node, policy)) {
    descent.end = Descent::End::Settled;
    return true;
  }
  const bool deep = policy.depth != 0 && path.size() >= policy.depth;
  if (deep || node.joint_count() == 0 || !graph.grow(node, policy.first_ties, rng)) {
    descent.end = Descent::End::Leaf;
    return true;
  }
  const JointCode code = choose_joint_move(graph, node, policy, rng);
  lift(graph, node, code, 1);
  path.push_back({at, code});
  at = graph.child(node, code);
  if (at != kNoNode) return false;
  descent.end = Descent::End::Edge;
  descent.leaf = kNoNode;
  return true;
}

void clamp_to_bounds(const Node& node, std::span<double> value) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    const Bounds& bounds = node.bounds(r);
    value[r] = std::clamp(value[r], bounds.low / 100.0, bounds.high / 100.0);
  }
}

void add_value(Node& node, std::span<const double> value) {
  ++node.visits;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) node.sum(r) += value[r];
}

/// The descent lands on an edge of a role; `child` is the node below, if that is its alone.
void land(Graph& graph, Node& node, gdl::RoleIndex role, std::uint32_t i, NodeId child,
          double value) {
  const EdgeList list = graph.edges(node, role);
  Edge& edge = list.edges[i];
  --edge.in_flight;
  ++edge.visits;
  if (child != kNoNode && graph[child].visits > 0) {
    edge.mean = mean_of(graph[child], role);
  } else {
    edge.mean += (static_cast<float>(value) - edge.mean) / static_cast<float>(edge.visits);
  }
  refresh(list, i, mean_of(node, role));
}

}  // namespace

Outlook::Outlook(std::span<const Edge> edges) {
  for (const Edge& edge : edges) best_low_ = std::max(best_low_, edge.bounds.low);
  for (const Edge& edge : edges) open_ |= edge.bounds.high > best_low_;
}

bool Outlook::admits(const Edge& edge) const {
  if (open_) return edge.bounds.high > best_low_ && !edge.bounds.closed();
  return edge.bounds.low == best_low_;
}

std::uint32_t choose_move(const Graph& graph, const Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng) {
  const EdgeList list = graph.edges(node, role);
  if (role == policy.random) return rng.below(list.size());
  const auto trials = static_cast<float>(std::max(1U, node.visits + node.in_flight));
  return largest(list, static_cast<float>(policy.gamma) * std::sqrt(rough_log(trials)));
}

void rate(const Graph& graph, const Node& node, gdl::RoleIndex role,
          const SelectionPolicy& policy) {
  const EdgeList list = graph.edges(node, role);
  const Outlook outlook(list.edges);
  const float node_mean = mean_of(node, role);
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const Edge& edge = list.edges[i];
    const bool untouched = edge.visits + edge.in_flight == 0 && is_unvisited_score(list.value[i]);
    if (edge.bounds.low == 100) {
      list.value[i] = kAlwaysChosen;
    } else if (policy.use_bounds && !outlook.admits(edge)) {
      list.value[i] = kNeverChosen;
    } else if (!untouched) {  // what nobody has tried keeps its place
      rate_edge(list, i, node_mean);
    }
  }
}

void Descents::run(Graph& graph, const SelectionPolicy& policy, std::uint32_t count, gdl::Rng& rng,
                   std::vector<Step>& steps, std::vector<Descent>& descents) {
  cursors_.resize(kInterleaved);
  std::size_t active = 0;
  for (; active < kInterleaved && count > 0; ++active, --count) {
    cursors_[active].at = graph.root();
    cursors_[active].path.clear();
  }
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) prefetch_edges(graph, graph[cursors_[i].at]);
    for (std::size_t i = 0; i < active;) {
      Cursor& cursor = cursors_[i];
      Descent descent;
      if (!go_down(graph, policy, rng, cursor.at, cursor.path, descent)) {
        prefetch_node(graph, cursor.at);
        ++i;
        continue;
      }
      descent.first_step = static_cast<std::uint32_t>(steps.size());
      descent.step_count = static_cast<std::uint32_t>(cursor.path.size());
      steps.insert(steps.end(), cursor.path.begin(), cursor.path.end());
      descents.push_back(descent);
      if (count > 0) {
        --count;
        cursor.at = graph.root();
        cursor.path.clear();
        ++i;
      } else {
        std::swap(cursor, cursors_[--active]);
      }
    }
  }
}

void back_up(Graph& graph, const Descent& descent, std::span<const Step> steps,
             const SelectionPolicy& policy, std::span<double> value) {
  NodeId below = descent.leaf;
  if (below != kNoNode) add_value(graph[below], value);
  for (std::uint32_t i = descent.step_count; i-- > 0;) {
    const Step& step = steps[descent.first_step + i];
    Node& node = graph[step.node];
    --node.in_flight;
    if (node.has_decider()) {
      land(graph, node, node.decider(), step.code, below, value[node.decider()]);
    } else {
      for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
        if (node.decides(r)) land(graph, node, r, node.index_in(step.code, r), kNoNode, value[r]);
      }
    }
    if (policy.use_bounds) clamp_to_bounds(node, value);
    add_value(node, value);
    below = step.node;
  }
}

void take_back(Graph& graph, const Descent& descent, std::span<const Step> steps) {
  for (const Step& step : steps.subspan(descent.first_step, descent.step_count)) {
    lift(graph, graph[step.node], step.code, -1);
  }
}

}  // namespace ludens::search::mcts
