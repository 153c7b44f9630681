#include "search/mcts/report.h"

#include <algorithm>
#include <tuple>

#include "search/strategy/first_choice.h"

namespace ludens::search::mcts {

namespace {

double mean_goal(double sum, std::uint32_t visits) {
  return visits > 0 ? 100 * sum / visits : kUnknownValue;
}

/// A number for each move that looks like chance and is always the same (splitmix64).
std::uint64_t lot(std::uint64_t seed, std::uint64_t move) {
  std::uint64_t z = seed + (move + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// What is proved is told for games in which it is the whole truth; in others only what the role
/// can force.
Bounds told(Bounds bounds, bool adversarial) {
  return adversarial ? bounds : Bounds{bounds.low, 100};
}

/// Of the role that thinks; none where it has no choice or nothing was searched.
std::span<const Edge> edges_of(const SharedSearch& search, const Node& root) {
  if (root.edges == kNoRef || !root.decides(search.role)) return {};
  return search.graph.edges(root, search.role).edges;
}

RootMove describe(gdl::MoveId move, std::uint32_t visits, double sum, Bounds bounds) {
  RootMove result{.move = move, .value = mean_goal(sum, visits), .visits = visits};
  result.low = bounds.low;
  result.high = bounds.high;
  if (bounds.closed()) result.value = bounds.low;
  return result;
}

std::vector<RootMove> describe_moves(const SharedSearch& search, const Node& root) {
  std::vector<RootMove> result;
  const gdl::RoleIndex role = search.role;
  const bool adversarial = search.adversarial();
  const std::uint32_t count = root.move_count(role);
  const auto edges = edges_of(search, root);
  for (std::uint32_t i = 0; i < count; ++i) {
    const gdl::MoveId move = root.move(role, i);
    if (!edges.empty()) {
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

/// The most visited of the moves that something is left to find out about, or one proved to be
/// worth as much as that one is on average.
std::size_t best_move(const SharedSearch& search, const Node& root,
                      const std::vector<RootMove>& moves, const TieBreak& ties) {
  const auto edges = edges_of(search, root);
  const bool by_bounds = search.policy.use_bounds && !edges.empty();
  const Outlook outlook(edges);
  auto rank = [&](std::size_t i) {
    const bool won = moves[i].low >= search.threshold;
    const bool candidate = !by_bounds || outlook.admits(edges[i]);
    return std::tuple(won ? moves[i].low : 0.0, candidate, moves[i].visits, moves[i].value,
                      ties.first ? ~i : lot(ties.seed, moves[i].move));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < moves.size(); ++i) {
    if (rank(i) > rank(best)) best = i;
  }
  if (!by_bounds || edges[best].bounds.closed()) return best;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (edges[i].bounds.closed() && moves[i].value > 0 && moves[i].value >= moves[best].value) {
      best = i;
    }
  }
  return best;
}

}  // namespace

Choice report(const SharedSearch& search, const TieBreak& ties) {
  const Node& root = search.graph[search.graph.root()];
  Choice choice;
  choice.depth = search.depth;
  choice.iterations = search.iterations;
  choice.nodes = search.nodes;
  choice.root = describe_moves(search, root);
  if (choice.root.empty()) return choice;
  const RootMove& best = choice.root[best_move(search, root, choice.root, ties)];
  choice.move = best.move;
  choice.value = best.value;
  const Bounds& bounds = root.bounds(search.role);
  choice.exact =
      best.low == best.high && (search.adversarial() ? bounds.closed() : best.low == 100);
  choice.variation = principal_variation(search.graph, search.role, best.move);
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
