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

RootMove describe(gdl::MoveId move, std::uint32_t visits, double sum, Bounds bounds) {
  RootMove result{.move = move, .value = mean_goal(sum, visits), .visits = visits};
  result.low = bounds.low;
  result.high = bounds.high;
  if (bounds.closed()) result.value = bounds.low;
  return result;
}

std::vector<RootMove> describe_moves(const SharedSearch& search, const Node& root) {
  std::vector<RootMove> result;
  const auto moves = root.moves(search.role);
  const auto edges = root.edges(search.role);
  const bool adversarial = search.adversarial();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (edges.empty()) {
      const RoleStatistics& all = root.role(search.role);
      const bool only = moves.size() == 1;
      result.push_back(describe(moves[i], only ? root.visits : 0, only ? all.sum : 0,
                                only ? told(all.bounds, adversarial) : Bounds{}));
    } else {
      result.push_back(
          describe(moves[i], edges[i].visits, edges[i].sum, told(edges[i].bounds, adversarial)));
    }
  }
  return result;
}

/// The most visited of the moves that something is left to find out about, or one proved to be
/// worth as much as that one is on average.
std::size_t best_move(const SharedSearch& search, const Node& root,
                      const std::vector<RootMove>& moves, const TieBreak& ties) {
  const auto edges = root.edges(search.role);
  const bool by_bounds = search.policy.use_bounds && !edges.empty();
  auto rank = [&](std::size_t i) {
    const bool won = moves[i].low >= search.threshold;
    const bool candidate = !by_bounds || is_candidate(edges[i], edges);
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
  const Node& root = search.tree[search.tree.root()];
  Choice choice;
  choice.depth = search.depth;
  choice.iterations = search.iterations;
  choice.nodes = search.nodes;
  choice.root = describe_moves(search, root);
  if (choice.root.empty()) return choice;
  const RootMove& best = choice.root[best_move(search, root, choice.root, ties)];
  choice.move = best.move;
  choice.value = best.value;
  const Bounds& bounds = root.role(search.role).bounds;
  choice.exact =
      best.low == best.high && (search.adversarial() ? bounds.closed() : best.low == 100);
  choice.variation = principal_variation(search.tree, search.role, best.move);
  return choice;
}

std::vector<gdl::MoveId> principal_variation(const Tree& tree, gdl::RoleIndex role,
                                             gdl::MoveId move) {
  std::vector<gdl::MoveId> variation;
  NodeId id = tree.root();
  while (id != kNoNode) {
    const Node& node = tree[id];
    NodeId next = kNoNode;
    JointCode best = 0;
    node.for_each_child([&](JointCode code, NodeId child) {
      if (id == tree.root() && node.moves(role)[node.index_in(code, role)] != move) return;
      if (next == kNoNode || tree[child].visits > tree[next].visits) {
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
