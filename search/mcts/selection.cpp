#include "search/mcts/selection.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/mcts/score.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kInterleaved = 8;  // descents on their way at a time
constexpr std::size_t kLine = 64;        // bytes that memory is fetched by
constexpr float kNeverChosen = -1e30F;   // a score below all others

bool is_settled(const Node& node, const SelectionPolicy& policy) {
  if (node.terminal()) return true;
  if (!policy.use_bounds || !node.bounded()) return false;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (r != policy.random && !node.bounds(r).closed()) return false;
  }
  return true;
}

/// Four edges, a field of all of them in each register.
struct FourEdges {
  __m128 mean;
  __m128i visits, rest;  // `rest`: in flight, low and high, from the lowest bits up
};

FourEdges load(const Edge* edges, std::uint32_t count) {
  static constexpr Edge kNobody{kNeverChosen, 1, {kNoNode}, 0, {}};
  const auto row = [&](std::uint32_t i) {
    return _mm_loadu_ps(reinterpret_cast<const float*>(i < count ? edges + i : &kNobody));
  };
  const __m128 a = row(0), b = row(1), c = row(2), d = row(3);
  const __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);
  const __m128 rest = _mm_movehl_ps(_mm_unpackhi_ps(c, d), _mm_unpackhi_ps(a, b));
  return {_mm_movelh_ps(ab, cd), _mm_castps_si128(_mm_movehl_ps(cd, ab)), _mm_castps_si128(rest)};
}

__m128 select(__m128 mask, __m128 yes, __m128 no) {
  return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
}

/// By what the best of a role's edges is told.
struct Measure {
  __m128 exploration;  // gamma, squared, times the logarithm of the trials
  __m128 node_mean;
  bool by_bounds;
  Outlook outlook;
};

__m128 scores(const FourEdges& edges, const Measure& measure) {
  const __m128i in_flight = _mm_and_si128(edges.rest, _mm_set1_epi32(0xffff));
  const __m128 one = _mm_set1_ps(1);
  const __m128 tried = _mm_cvtepi32_ps(_mm_add_epi32(edges.visits, in_flight));
  const __m128 share = _mm_div_ps(one, _mm_max_ps(tried, one));
  const __m128 won = _mm_mul_ps(edges.mean, _mm_cvtepi32_ps(edges.visits));
  const __m128 fresh = _mm_castsi128_ps(_mm_cmpeq_epi32(edges.visits, _mm_setzero_si128()));
  const __m128 value = select(fresh, measure.node_mean, _mm_mul_ps(won, share));
  const __m128 score = _mm_add_ps(value, _mm_sqrt_ps(_mm_mul_ps(measure.exploration, share)));
  if (!measure.by_bounds) return score;
  const __m128i low = _mm_and_si128(_mm_srli_epi32(edges.rest, 16), _mm_set1_epi32(0xff));
  const __m128i high = _mm_srli_epi32(edges.rest, 24);
  const __m128i best = _mm_set1_epi32(measure.outlook.best_low());
  const __m128i admitted = measure.outlook.open() ? _mm_and_si128(_mm_cmpgt_epi32(high, best),
                                                                  _mm_cmpgt_epi32(high, low))
                                                  : _mm_cmpeq_epi32(low, best);
  return select(_mm_castsi128_ps(admitted), score, _mm_set1_ps(kNeverChosen));
}

float least_of(__m128 four) {
  const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

/// The edge with the largest score, the first of equals.
std::uint32_t largest(std::span<const Edge> edges, const Measure& measure) {
  const __m128 lanes = _mm_set_ps(3, 2, 1, 0);
  __m128 most = _mm_set1_ps(2 * kNeverChosen);
  __m128 where = lanes;
  const auto count = static_cast<std::uint32_t>(edges.size());
  for (std::uint32_t i = 0; i < count; i += 4) {
    const __m128 score = scores(load(edges.data() + i, count - i), measure);
    const __m128 larger = _mm_cmpgt_ps(score, most);
    most = select(larger, score, most);
    where = select(larger, _mm_add_ps(lanes, _mm_set1_ps(static_cast<float>(i))), where);
  }
  const __m128 best = _mm_set1_ps(-least_of(_mm_sub_ps(_mm_setzero_ps(), most)));
  const __m128 nowhere = _mm_set1_ps(static_cast<float>(count));
  return static_cast<std::uint32_t>(least_of(select(_mm_cmpeq_ps(most, best), where, nowhere)));
}

void prefetch_node(const Graph& graph, NodeId id) {
  const auto* bytes = reinterpret_cast<const char*>(&graph[id]);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + kLine);
}

void prefetch_edges(Graph& graph, Node& node) {
  const Hold held = graph.hold(node);
  if (node.edges == kNoRef || !node.has_decider()) return;
  const auto edges = graph.edges(node, node.decider());
  const auto* bytes = reinterpret_cast<const char*>(edges.data());
  for (std::size_t at = 0; at < edges.size_bytes(); at += kLine) __builtin_prefetch(bytes + at);
}

/// The descent passes, or has passed, a joint move: it counts one more or one less in flight.
void lift(Graph& graph, Node& node, JointCode code, int by) {
  const auto add = [by](std::uint16_t& count) { count = static_cast<std::uint16_t>(count + by); };
  add(node.in_flight);
  if (node.has_decider()) return add(graph.edges(node, node.decider())[code].in_flight);
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (node.decides(r)) add(graph.edges(node, r)[node.index_in(code, r)].in_flight);
  }
}

/// False if there is no memory.
bool choose_joint_move(Graph& graph, Node& node, const SelectionPolicy& policy, gdl::Rng& rng,
                       JointCode& code) {
  if (node.has_decider()) {
    code = choose_move(graph, node, node.decider(), policy, rng);
    return code != Graph::kNoPlace;
  }
  code = 0;
  JointCode stride = 1;
  const bool drawn = policy.simultaneous != SimultaneousRule::Uct;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    const std::uint32_t place = drawn && r != policy.random
                                    ? draw_move(graph, node, r, policy, rng)
                                    : choose_move(graph, node, r, policy, rng);
    if (place == Graph::kNoPlace) return false;
    code += stride * place;
    stride *= node.move_count(r);
  }
  return true;
}

/// A descent goes on by one move; true if it has come to its end.
bool go_down(Graph& graph, const SelectionPolicy& policy, gdl::Rng& rng, NodeId& at,
             std::vector<Step>& path, Descent& descent) {
  Node& node = graph[at];
  const Hold held = graph.hold(node);
  descent.leaf = at;
  if (node.epoch != policy.epoch) {
    descent.end = Descent::End::Edge;
    return true;
  }
  if (at != graph.root() && is_settled(node, policy)) {
    descent.end = Descent::End::Settled;
    return true;
  }
  JointCode code = 0;
  const bool deep = policy.depth != 0 && path.size() >= policy.depth;
  if (deep || node.joint_count() == 0 || !choose_joint_move(graph, node, policy, rng, code)) {
    descent.end = Descent::End::Leaf;
    return true;
  }
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
    const Bounds bounds = node.bounds(r);
    value[r] = std::clamp(value[r], bounds.low / 100.0, bounds.high / 100.0);
  }
}

void add_value(Node& node, std::span<const double> value) {
  ++node.visits;
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) node.sum(r) += value[r];
}

/// The descent lands on an edge that it has been counted on.
void land(Edge& edge) {
  --edge.in_flight;
  ++edge.visits;
}

void land_among(Graph& graph, Node& node, JointCode code, const SelectionPolicy& policy,
                std::span<const double> value) {
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    if (!node.decides(r)) continue;
    Edge& edge = graph.edges(node, r)[node.index_in(code, r)];
    land(edge);
    edge.mean += (static_cast<float>(value[r]) - edge.mean) / static_cast<float>(edge.visits);
    if (r != policy.random) learn(graph, node, r, code, value[r], policy);
  }
}

}  // namespace

Outlook::Outlook(std::span<const Edge> edges, std::uint32_t untried) {
  for (const Edge& edge : edges) best_low_ = std::max(best_low_, edge.bounds.low);
  open_ = untried > 0 && best_low_ < 100;
  for (const Edge& edge : edges) open_ |= edge.bounds.high > best_low_;
}

bool Outlook::admits(const Bounds& bounds) const {
  if (open_) return bounds.high > best_low_ && !bounds.closed();
  return bounds.low == best_low_;
}

std::optional<std::uint32_t> find_won(std::span<const Edge> edges) {
  const auto won = std::ranges::find_if(edges, [](const Edge& e) { return e.bounds.low == 100; });
  if (won == edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(won - edges.begin());
}

std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng) {
  const auto edges = graph.edges(node, role);
  const auto tried = static_cast<std::uint32_t>(edges.size());
  const std::uint32_t untried = node.move_count(role) - tried;
  if (role == policy.random) {
    const std::uint32_t place = rng.below(tried + untried);
    return place < tried ? place : graph.open(node, role, place - tried);
  }
  if (tried == 1 && untried == 0) return 0;
  const bool by_bounds = node.bounded();
  if (const auto won = by_bounds ? find_won(edges) : std::nullopt) return *won;
  if (untried > 0) {
    return graph.open(node, role, policy.first_ties || untried == 1 ? 0 : rng.below(untried));
  }
  const auto trials = static_cast<float>(std::max(1U, node.visits + node.in_flight));
  const auto gamma = static_cast<float>(policy.gamma);
  const Measure measure{_mm_set1_ps(gamma * gamma * rough_log(trials)),
                        _mm_set1_ps(node.mean(role)), by_bounds && policy.use_bounds,
                        Outlook(by_bounds ? edges : std::span<const Edge>(), 0)};
  return largest(edges, measure);
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
  const auto path = steps.subspan(descent.first_step, descent.step_count);
  // Of the node below, for the role that decides above it; without one, the value itself counts.
  std::optional<float> mean;
  const auto add = [&](Node& node, std::size_t level) {
    add_value(node, value);
    if (level == 0) return;
    const Node& above = graph[path[level - 1].node];
    if (above.has_decider()) mean = node.mean(above.decider());
  };
  if (descent.leaf != kNoNode) {
    Node& leaf = graph[descent.leaf];
    const Hold held = graph.hold(leaf);
    add(leaf, path.size());
  }
  for (std::size_t level = path.size(); level-- > 0;) {
    Node& node = graph[path[level].node];
    const Hold held = graph.hold(node);
    --node.in_flight;
    if (node.has_decider()) {
      Edge& edge = graph.edges(node, node.decider())[path[level].code];
      land(edge);
      const auto own = static_cast<float>(value[node.decider()]);
      edge.mean = mean ? *mean : edge.mean + (own - edge.mean) / static_cast<float>(edge.visits);
    } else {
      land_among(graph, node, path[level].code, policy, value);
    }
    if (policy.use_bounds && node.bounded()) clamp_to_bounds(node, value);
    add(node, level);
  }
}

void take_back(Graph& graph, const Descent& descent, std::span<const Step> steps) {
  for (const Step& step : steps.subspan(descent.first_step, descent.step_count)) {
    Node& node = graph[step.node];
    const Hold held = graph.hold(node);
    lift(graph, node, step.code, -1);
  }
}

}  // namespace ludens::search::mcts
