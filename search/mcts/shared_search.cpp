// SPDX-License-Identifier: MIT
#include "search/mcts/shared_search.h"

#include <algorithm>
#include <utility>

#include "search/mcts/bounds.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint64_t kFirstWeights = 2'048;          // playouts
constexpr std::uint64_t kDescentsForMistakes = 30'000;  // after the value of the root is proved
constexpr std::uint64_t kDescentsForEquals = 15'000;    // of these, at most, to prove equal moves

/// The bounds of the role at a root. They settle nothing without a move that shows them.
Bounds bounds_at(const Graph& graph, Node& root, gdl::RoleIndex role) {
  if (!root.bounded() || !root.decides(role)) return root.bounds(role);
  const Hold held = graph.hold(root);
  return shown_bounds(graph, root, role);
}

/// Moves of the only role that has a choice, none of which can be worth more than `value`.
struct EqualMoves {
  std::size_t possible = 0;  // that may be worth as much
  std::size_t proved = 0;    // that are
};
EqualMoves count_equal_moves(const Graph& graph, Node& node, gdl::RoleIndex role,
                             std::uint8_t value) {
  EqualMoves moves;
  if (!node.has_decider() || node.decider() != role) return moves;
  const Hold held = graph.hold(node);
  for (const Edge& edge : graph.edges(node, role)) {
    if (edge.bounds.high < value) continue;
    ++moves.possible;
    if (edge.bounds.closed()) ++moves.proved;
  }
  return moves;
}

}  // namespace

std::shared_lock<std::shared_mutex> SharedSearch::lock_shared() {
  const std::lock_guard passing(turnstile);
  return std::shared_lock(in_use);
}

std::unique_lock<std::shared_mutex> SharedSearch::lock_alone() {
  const std::lock_guard passing(turnstile);
  return std::unique_lock(in_use);
}

void SharedSearch::restart(std::uint64_t descents) {
  const std::uint32_t visits = std::min(graph[graph.root()].visits, Node::kMostVisits);
  descents_left = std::min<std::uint64_t>(descents, Node::kMostVisits - visits);
  finished = seeks_mistakes = false;
  put_aside = 0;
  iterations = 0;
  nodes = 0;
  depth = 0;
}

bool SharedSearch::adversarial() const {
  const std::size_t all = graph[graph.root()].role_count();
  const std::size_t players = policy.random ? all - 1 : all;
  return players == 1 || (players == 2 && goal_sums.fixed());
}

/// Ranks are for two adversaries; the other formulas for any roles without chance.
void SharedSearch::look_for_proofs(bool two_in_turn) {
  const Node& node = graph[graph.root()];
  ProofGoals& proofs = policy.guides.proofs;
  const bool several = bounds && node.role_count() > 1 && !policy.random;
  proofs.weight = (proofs.bias == ProofBias::Rank ? two_in_turn : several) ? proof_weight : 0;
  proofs.goals.resize(node.role_count());
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) proofs.goals[r] = node.bounds(r).high;
}

void SharedSearch::look_for_the_end() {
  policy.use_bounds = bounds && adversarial();
  policy.equals_at = nullptr;
  Node& node = graph[graph.root()];
  at_once |= !node.has_decider();
  policy.noisy_results = at_once || policy.random.has_value();
  const bool two_in_turn = policy.use_bounds && node.role_count() == 2 && !policy.random;
  look_for_proofs(two_in_turn);
  const Bounds root = bounds_at(graph, node, role);
  const bool sought = seeks_mistakes;
  const bool drawn = two_in_turn && root.low > 0 && root.low < threshold && root.closed();
  const EqualMoves equal = drawn ? count_equal_moves(graph, node, role, root.low) : EqualMoves();
  seeks_mistakes = equal.possible > 1;
  if (root.low >= threshold || (policy.use_bounds && root.closed() && !seeks_mistakes))
    finished = true;
  if (!seeks_mistakes) {
    descents_left += std::exchange(put_aside, 0);
    return;
  }
  if (!sought) {
    put_aside = descents_left - std::min(descents_left, kDescentsForMistakes);
    descents_left -= put_aside;
  }
  policy.use_bounds =
      equal.proved < equal.possible && descents_left > kDescentsForMistakes - kDescentsForEquals;
  policy.equals_at = policy.use_bounds ? &node : nullptr;
  policy.guides.proofs.weight = 0;
}

/// The more is known, the less new counts matter.
void SharedSearch::learn_moves(const gdl::PlayoutSums& sums, std::size_t roles) {
  moves.add(sums, roles);
  if (moves.playouts() < (next_weights == 0 ? kFirstWeights : next_weights)) return;
  next_weights = moves.playouts() * 5 / 4;
  if (learning.inverse_temperature > 0) {
    weights = std::make_shared<const gdl::MoveWeights>(moves.weights(learning.inverse_temperature));
  }
  if (learning.order) policy.move_means = std::make_shared<const MoveMeans>(moves.means());
}

void SharedSearch::fade_moves() {
  moves.fade();
  next_weights /= 2;
}

void SharedSearch::forget_moves() {
  moves = {};
  next_weights = 0;
  weights.reset();
  policy.move_means.reset();
}

}  // namespace ludens::search::mcts
