// SPDX-License-Identifier: MIT
#include "search/mcts/report.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>

#include "gdl/machine/rng.h"
#include "gdl/memory/hash.h"
#include "search/mcts/loss_distance.h"
#include "search/mcts/simultaneous.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/prefer_settled.h"

namespace ludens::search::mcts {

namespace {

/// A value lower than the position's by at most this, on a scale of 1, counts as safe.
constexpr double kSafeMargin = 0.05;
/// A goal below this is a loss, which may still be avoided if it is far off.
constexpr std::uint8_t kWorthHoldingOut = 50;
constexpr std::size_t kMovesWithVariations = 3;
constexpr std::size_t kMostProofNodes = 50'000;  // a few milliseconds

double mean_goal(double sum, std::uint32_t visits) {
  return visits > 0 ? 100 * sum / visits : kUnknownValue;
}

/// A random-looking number for each move that is always the same.
std::uint64_t lot(std::uint64_t seed, std::uint64_t move) {
  return gdl::scatter(seed + (move + 1) * gdl::kHashStart);
}

/// Full bounds are reported for games in which they are exact; in others only what the role can
/// force.
Bounds told(Bounds bounds, bool adversarial) {
  return adversarial ? bounds : Bounds{bounds.low, 100};
}

/// The tried edges of the role that thinks; none if it has no choice.
std::span<const Edge> edges_of(const SharedSearch& search, const Node& root) {
  if (root.edges == kNoRef || !root.decides(search.role)) return {};
  return search.graph.edges(root, search.role);
}

RootMove describe(gdl::MoveId move, std::uint32_t visits, double sum, Bounds bounds) {
  RootMove result{.move = move, .value = mean_goal(sum, visits), .visits = visits};
  result.low = bounds.low;
  result.high = bounds.high;
  if (bounds.closed()) result.value = bounds.low;
  return result;
}

/// The moves in the order of the root's places.
std::vector<RootMove> describe_moves(const SharedSearch& search, const Node& root) {
  std::vector<RootMove> result;
  const gdl::RoleIndex role = search.role;
  const bool adversarial = search.adversarial();
  const std::uint32_t count = root.move_count(role);
  const auto edges = edges_of(search, root);
  for (std::uint32_t i = 0; i < count; ++i) {
    const gdl::MoveId move = root.move(role, i);
    if (i < edges.size()) {
      const Edge& edge = edges[i];
      const double sum = edge.mean * static_cast<double>(edge.visits);
      result.push_back(describe(move, edge.visits, sum, told(edge.bounds, adversarial)));
    } else if (count == 1) {
      result.push_back(
          describe(move, root.visits, root.sum(role), told(root.bounds(role), adversarial)));
    } else {
      result.push_back(describe(move, 0, 0, {}));
    }
  }
  return result;
}

/// In a lost position, of the moves that are proved to be worth as little as `best`, the one after
/// which the end is farthest away; `best` itself otherwise, and if the proof does not show it.
std::size_t longest_loss(const SharedSearch& search, const Node& root, std::span<const Edge> edges,
                         std::size_t best) {
  const Bounds lost = edges[best].bounds;
  if (lost.high >= kWorthHoldingOut || !root.has_decider()) return best;
  LossDistance distance(search.graph, search.role, kMostProofNodes);
  std::optional<std::uint32_t> longest;
  std::size_t found = best;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].bounds != lost || edges[i].child() == kNoNode) continue;
    const auto plies = distance.plies(edges[i].child());
    if (!plies || (longest && (*plies < *longest || (*plies == *longest && i != best)))) continue;
    longest = plies;
    found = i;
  }
  return found;
}

/// What a role can expect, on average, if the other replies at random and errs no more after that;
/// `proved` if nothing is known of a reply, or if the role has the next move, too.
double after_random_replies(const Graph& graph, const Node& node, gdl::RoleIndex role,
                            double proved) {
  if (!node.has_decider() || node.decider() == role) return proved;
  const double replies = node.move_count(node.decider());
  double gain = 0;
  graph.for_each_child(node, [&](JointCode, NodeId id) {
    const Node& child = graph[id];
    const Bounds bounds = child.bounds(role);
    if (bounds.closed()) {
      gain += bounds.low - proved;
    } else if (child.visits > 0) {
      gain += std::clamp<double>(100 * child.mean(role), bounds.low, bounds.high) - proved;
    }
  });
  return proved + gain / replies;
}

/// Where the value is proved and the other role may still lose something: of the moves that are
/// worth as much as `best`, the one after which most of its replies are mistakes.
std::size_t hardest_to_answer(const SharedSearch& search, std::span<const Edge> edges,
                              std::size_t best) {
  const Bounds proved = edges[best].bounds;
  double most = -1;
  std::size_t found = best;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].bounds != proved || edges[i].child() == kNoNode) continue;
    const double here =
        after_random_replies(search.graph, search.graph[edges[i].child()], search.role, proved.low);
    if (here < most || (here == most && i != best)) continue;
    most = here;
    found = i;
  }
  return found;
}

/// The most visited of the moves that are not decided, or one proved to be worth as much as that
/// one is on average.
std::size_t best_move(const SharedSearch& search, const Node& root,
                      const std::vector<RootMove>& moves, const AnswerRule& rule) {
  const auto edges = edges_of(search, root);
  const bool by_bounds = (search.policy.use_bounds || search.seeks_mistakes) && !edges.empty();
  const Candidates candidates(edges, static_cast<std::uint32_t>(moves.size() - edges.size()));
  const auto bounds = [&](std::size_t i) { return i < edges.size() ? edges[i].bounds : Bounds(); };
  const auto tie = [&](std::size_t i) {
    return rule.first_ties ? ~std::uint64_t{moves[i].move} : lot(rule.seed, moves[i].move);
  };
  const auto rank = [&](std::size_t i) {
    const bool won = moves[i].low >= search.threshold;
    const bool candidate = !by_bounds || candidates.admits(bounds(i));
    return std::tuple(won ? moves[i].low : 0.0, candidate, moves[i].visits, moves[i].value, tie(i));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < moves.size(); ++i) {
    if (rank(i) > rank(best)) best = i;
  }
  if (!by_bounds) return best;
  if (search.seeks_mistakes) return hardest_to_answer(search, edges, best);
  if (bounds(best).closed()) return longest_loss(search, root, edges, best);
  return prefer_settled(
      moves, best, [&](std::size_t i) { return bounds(i).closed(); }, tie);
}

/// Whether another role than the one that thinks and `random` has a choice, too.
bool has_rivals(const SharedSearch& search, const Node& root) {
  for (gdl::RoleIndex r = 0; r < root.role_count(); ++r) {
    if (r != search.role && r != search.policy.random && root.decides(r)) return true;
  }
  return false;
}

/// The answer: `best`, or a drawn move if `best` can be punished.
std::size_t answer(const SharedSearch& search, const Node& root, const std::vector<RootMove>& moves,
                   std::size_t best, const AnswerRule& rule) {
  const auto edges = edges_of(search, root);
  const bool sure = moves[best].low >= search.threshold || moves[best].low == moves[best].high;
  if (!rule.mixed || edges.empty() || sure || !has_rivals(search, root)) return best;
  const auto place = static_cast<std::uint32_t>(best);
  if (is_safe(search.graph, root, search.role, place, kSafeMargin)) return best;
  const std::vector<double> chances = mix(search.graph, root, search.role, search.policy);
  const std::uint64_t drawn = lot(rule.seed, ~std::uint64_t{root.ply});
  return gdl::draw_index(chances, static_cast<double>(drawn >> 11) * 0x1.0p-53);
}

/// Gives the most visited moves their variations. Leaves them sorted by visits.
void add_variations(const SharedSearch& search, std::vector<RootMove>& moves) {
  const std::size_t shown = std::min(kMovesWithVariations, moves.size());
  std::ranges::partial_sort(moves, moves.begin() + static_cast<std::ptrdiff_t>(shown),
                            std::ranges::greater{}, &RootMove::visits);
  for (RootMove& move : std::span(moves).first(shown)) {
    move.variation = principal_variation(search.graph, search.role, move.move);
  }
}

}  // namespace

Choice report(const SharedSearch& search, const AnswerRule& rule) {
  const Node& root = search.graph[search.graph.root()];
  Choice choice;
  choice.depth = search.depth;
  choice.iterations = search.iterations;
  choice.nodes = search.nodes;
  choice.root = describe_moves(search, root);
  if (choice.root.empty()) return choice;
  const std::size_t found = best_move(search, root, choice.root, rule);
  const RootMove best = choice.root[answer(search, root, choice.root, found, rule)];
  choice.move = best.move;
  choice.value = best.value;
  const Bounds bounds = root.bounds(search.role);
  choice.exact =
      best.low == best.high && (search.adversarial() ? bounds.closed() : best.low == 100);
  choice.goes_on = choice.exact && !search.finished && search.descents_left > 0;
  choice.variation = principal_variation(search.graph, search.role, best.move);
  add_variations(search, choice.root);
  std::ranges::sort(choice.root, {}, &RootMove::move);
  return choice;
}

std::vector<gdl::MoveId> principal_variation(const Graph& graph, gdl::RoleIndex role,
                                             gdl::MoveId move) {
  std::vector<gdl::MoveId> variation;
  NodeId id = graph.root();
  while (id != kNoNode) {
    const Node& node = graph[id];
    NodeId next = kNoNode;
    JointCode best = 0;
    graph.for_each_child(node, [&](JointCode code, NodeId child) {
      if (id == graph.root() && node.move(role, node.index_in(code, role)) != move) return;
      if (next == kNoNode || graph[child].visits > graph[next].visits) {
        next = child;
        best = code;
      }
    });
    if (next != kNoNode) {
      variation.resize(variation.size() + node.role_count());
      node.decode(best, std::span(variation).last(node.role_count()));
    }
    id = next;
  }
  return variation;
}

}  // namespace ludens::search::mcts
