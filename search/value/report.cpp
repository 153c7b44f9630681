// SPDX-License-Identifier: MIT
#include "search/value/report.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "search/strategy/prefer_settled.h"
#include "search/value/backup.h"

namespace ludens::search::value {

namespace {

constexpr std::size_t kMovesWithVariations = 3;

double points(float value) {
  return 100 * std::clamp(static_cast<double>(value), 0.0, 1.0);
}

RootMove describe(gdl::MoveId move, float value, std::uint32_t visits, Bounds bounds, bool misled) {
  RootMove result{.move = move, .value = points(value), .visits = visits};
  if (bounds.closed()) result.value = bounds.low;  // without the error of a rounded value
  result.low = bounds.low;
  if (!misled || bounds.closed()) result.high = bounds.high;
  return result;
}

/// A move that was not visited yet has no mean.
std::vector<RootMove> moves_in_turn(const SharedSearch& search, Node& root,
                                    const AnswerRule& rule) {
  std::vector<RootMove> result;
  for (std::uint32_t child = 0; child < root.child_count(); ++child) {
    const Bounds bounds = root.bounds(search.role)[child];
    const float mean = root.means()[child], value = root.values(search.role)[child];
    const bool visited = root.child_visits()[child] > 0;
    const float share = bounds.closed() || !visited ? 1.0F : rule.minimax_share;
    result.push_back(describe(root.moves()[child], (1 - share) * mean + share * value,
                              root.child_visits()[child], bounds, search.misled));
  }
  return result;
}

std::vector<RootMove> moves_at_once(const SharedSearch& search, Node& root) {
  std::vector<RootMove> result;
  const auto begins = root.option_begins();
  for (std::uint32_t option = begins[search.role]; option < begins[search.role + 1]; ++option) {
    result.push_back(describe(root.option_moves()[option], root.option_means()[option],
                              root.option_visits()[option], {}, search.misled));
  }
  return result;
}

std::vector<RootMove> describe_moves(const SharedSearch& search, Node& root,
                                     const AnswerRule& rule) {
  if (root.kind == Kind::AtOnce) return moves_at_once(search, root);
  if (root.decider == search.role) return moves_in_turn(search, root, rule);
  return {describe(root.first_moves()[search.role], root.own_values()[search.role], root.visits,
                   root.own_bounds()[search.role], search.misled)};
}

/// What the role that thinks may hope for after a child of the root: the mean of its values over
/// all replies of the others, good and bad.
float hope(const SharedSearch& search, Node& root, std::size_t child) {
  const NodeId id = root.children()[child];
  if (id == kNoNode || id == kInTheMaking) return root.values(search.role)[child];
  const auto values = search.tree[id].values(search.role);
  return std::reduce(values.begin(), values.end()) / static_cast<float>(values.size());
}

/// The move after which the others can make the most mistakes, among those that are proved to be
/// worth as much as `best`, which is not a win.
std::size_t hardest_to_answer(const SharedSearch& search, Node& root,
                              const std::vector<RootMove>& moves, std::size_t best) {
  if (root.kind != Kind::Turn || root.decider != search.role) return best;
  std::size_t found = best;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].low != moves[best].low || moves[i].high != moves[best].high) continue;
    if (hope(search, root, i) > hope(search, root, found)) found = i;
  }
  return found;
}

std::size_t best_move(const SharedSearch& search, Node& root, const std::vector<RootMove>& moves,
                      const AnswerRule& rule) {
  Bounds best{0, 0};
  const auto bounds = [&](std::size_t i) {
    return Bounds{static_cast<std::uint8_t>(moves[i].low),
                  static_cast<std::uint8_t>(moves[i].high)};
  };
  for (std::size_t i = 0; i < moves.size(); ++i) {
    best.low = std::max(best.low, bounds(i).low);
    best.high = std::max(best.high, bounds(i).high);
  }
  const auto tie = [&](std::size_t i) {
    return rule.first_ties ? moves.size() - i : gdl::Rng(rule.seed + moves[i].move)();
  };
  const auto rank = [&](std::size_t i) {
    const bool won = bounds(i).low >= search.threshold;
    return std::tuple(won ? moves[i].low : 0.0, !is_refuted(bounds(i), best), moves[i].visits,
                      moves[i].value, tie(i));
  };
  std::size_t found = 0;
  for (std::size_t i = 1; i < moves.size(); ++i) {
    if (rank(i) > rank(found)) found = i;
  }
  found = prefer_settled(
      moves, found, [&](std::size_t i) { return bounds(i).closed(); }, tie);
  if (!bounds(found).closed() || bounds(found).low >= search.threshold) return found;
  return hardest_to_answer(search, root, moves, found);
}

/// Gives the most visited moves their variations.
void add_variations(const SharedSearch& search, std::vector<RootMove>& moves) {
  std::vector<RootMove*> order;
  order.reserve(moves.size());
  for (RootMove& move : moves) order.push_back(&move);
  const std::size_t shown = std::min(kMovesWithVariations, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(shown),
                            std::ranges::greater{}, &RootMove::visits);
  for (RootMove* move : std::span(order).first(shown)) {
    move->variation = main_line(search.tree, search.role, move->move);
  }
}

}  // namespace

Choice report(const SharedSearch& search, const AnswerRule& rule) {
  Node& root = search.tree[search.tree.root()];
  Choice choice;
  const SharedSearch::Counts done = search.counts();
  choice.depth = done.depth;
  choice.iterations = done.descents;
  choice.nodes = done.evaluated;
  choice.root = describe_moves(search, root, rule);
  const RootMove& best = choice.root[best_move(search, root, choice.root, rule)];
  choice.move = best.move;
  choice.value = best.value;
  // If the tree is misled, `high` may be wrong.
  const bool settled = root.settled_for(search.role) && !search.misled;
  choice.exact = best.low == best.high && (settled || best.low == 100);
  choice.variation = main_line(search.tree, search.role, best.move);
  add_variations(search, choice.root);
  return choice;
}

}  // namespace ludens::search::value
