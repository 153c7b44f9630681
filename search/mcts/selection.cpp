#include "search/mcts/selection.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/mcts/score.h"

namespace ludens::search::mcts {

namespace {

constexpr float kNeverChosen = -1e30F;  // a score below all others

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

/// Whether it is time to try one more move.
bool is_another_due(std::span<const Edge> edges, const Node& node, const SelectionPolicy& policy) {
  if (policy.widening == 0) return true;
  const auto tried = static_cast<double>(edges.size());
  const double visits = node.visits + node.in_flight;
  if (tried * tried <= policy.widening * policy.widening * visits) return true;
  return node.bounded() && !Outlook(edges, 0).open();
}

/// Which of those that nobody has tried.
std::uint32_t pick_untried(const Node& node, gdl::RoleIndex role, std::uint32_t tried,
                           const SelectionPolicy& policy, gdl::Rng& rng) {
  const std::uint32_t untried = node.move_count(role) - tried;
  if (policy.first_ties || untried == 1) return 0;
  if (policy.move_means == nullptr) return rng.below(untried);
  std::uint32_t best = 0;
  float most = -1;
  for (std::uint32_t i = 0; i < untried; ++i) {
    const float mean = policy.move_means->of(role, node.move(role, tried + i));
    if (mean > most) {
      most = mean;
      best = i;
    }
  }
  return best;
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
  if (untried > 0 && is_another_due(edges, node, policy)) {
    return graph.open(node, role, pick_untried(node, role, tried, policy, rng));
  }
  const auto trials = static_cast<float>(std::max(1U, node.visits + node.in_flight));
  auto gamma = static_cast<float>(policy.gamma);
  if (!policy.spread.empty()) gamma *= policy.spread[role];
  const Measure measure{_mm_set1_ps(gamma * gamma * rough_log(trials)),
                        _mm_set1_ps(node.mean(role)), by_bounds && policy.use_bounds,
                        Outlook(by_bounds ? edges : std::span<const Edge>(), 0)};
  return largest(edges, measure);
}

}  // namespace ludens::search::mcts
