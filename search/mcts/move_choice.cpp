// SPDX-License-Identifier: MIT
#include "search/mcts/move_choice.h"

#include <algorithm>
#include <cmath>

#include "search/mcts/candidates.h"
#include "search/mcts/chance.h"
#include "search/mcts/grave.h"
#include "search/mcts/ngrams.h"
#include "search/mcts/simultaneous.h"

namespace ludens::search::mcts {

namespace {

constexpr std::uint32_t kInOrder = 4;  // moves that are ordered before they are tried

/// `untried`: moves without an edge that are candidates.
UcbTerms measure_of(std::span<const Edge> edges, std::uint32_t untried, const Node& node,
                    gdl::RoleIndex role, const SelectionPolicy& policy) {
  const auto trials = static_cast<float>(std::max(1U, node.visits + node.in_flight));
  auto gamma = static_cast<float>(policy.gamma);
  if (!policy.spread.empty()) gamma *= policy.spread[role];
  const bool by_bounds = node.bounded() && policy.use_bounds;
  return {
      gamma * gamma * rough_log(trials), node.mean(role), by_bounds,
      Candidates(by_bounds ? edges : std::span<const Edge>(), untried, &node == policy.equals_at)};
}

/// Whether it is time to try one more move.
bool is_another_due(std::span<const Edge> edges, const Node& node, const SelectionPolicy& policy) {
  if (policy.widening == 0) return true;
  const auto tried = static_cast<double>(edges.size());
  const double visits = node.visits + node.in_flight;
  if (tried * tried <= policy.widening * policy.widening * visits) return true;
  return node.bounded() && !Candidates(edges, 0).open();
}

/// The score of a candidate. One that was never visited has the node's value, and is explored as if
/// it had been visited once.
float guided_score(const Edge& edge, const MoveBias& bias, const UcbTerms& measure) {
  const auto visits = static_cast<float>(edge.visits);
  const float tried = std::max(visits, 1.0F) + static_cast<float>(edge.in_flight);
  const float usual = measure.node_mean * bias.visits + bias.gain;
  const float value = edge.visits == 0 ? (measure.node_mean + usual) / (1 + bias.visits)
                                       : (edge.mean * visits + usual) / (tried + bias.visits);
  return value + std::sqrt(measure.exploration / tried) + bias.bonus;
}

/// Picks one of the untried moves.
std::uint32_t pick_untried(const Node& node, gdl::RoleIndex role, std::uint32_t tried,
                           const SelectionPolicy& policy, gdl::Rng& rng) {
  const std::uint32_t untried = node.move_count(role) - tried;
  if (untried == 1) return 0;
  if (policy.move_means == nullptr) return policy.first_ties ? 0 : rng.below(untried);
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

/// One of the moves whose score is as large as that of `best`, at random.
std::uint32_t draw_equal(std::span<const Edge> edges, const UcbTerms& measure, std::uint32_t best,
                         gdl::Rng& rng) {
  const float most = score_of(edges[best], measure);
  std::uint32_t drawn = best, equals = 0;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (measure.by_bounds && !measure.candidates.admits(edges[i].bounds)) continue;
    if (score_of(edges[i], measure) >= most && rng.below(++equals) == 0) drawn = i;
  }
  return drawn;
}

}  // namespace

std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng) {
  const auto edges = graph.edges(node, role);
  const auto tried = static_cast<std::uint32_t>(edges.size());
  const std::uint32_t untried = node.move_count(role) - tried;
  if (role == policy.random) return draw_evenly(graph, node, role, rng);
  if (tried == 1 && untried == 0) return 0;
  if (const auto won = node.bounded() ? find_won(edges) : std::nullopt) return *won;
  if (untried > 0 && is_another_due(edges, node, policy)) {
    const auto place = graph.open(node, role, pick_untried(node, role, tried, policy, rng));
    if (place != Graph::kNoPlace || tried == 0) return place;
  }
  const UcbTerms measure = measure_of(edges, 0, node, role, policy);
  const std::uint32_t best = best_of(edges, measure);
  // Roles that choose at once and always took the first of equals would go on in step.
  return policy.first_ties || node.has_decider() ? best : draw_equal(edges, measure, best, rng);
}

void Chooser::choose(Graph& graph, Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
                     const Path& path, gdl::Rng& rng, std::span<std::uint32_t> places) {
  const bool random = role == policy.random;
  if (policy.guides.any() && !random) {
    while (!places.empty() && find_biases(graph, node, role, policy, path)) {
      places = choose_guided(graph, node, policy, path, rng, places);
    }
    if (places.empty()) return;
    if (policy.guides.ngrams != nullptr && path.last && node.decides(role) &&
        graph.untried(node, role) > 0) {
      return choose_in_order(graph, node, policy, *path.last, rng, places);
    }
  }
  const bool drawn = !random && !node.has_decider() && policy.simultaneous != SimultaneousRule::Uct;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto left = places.subspan(i);
    if (!random && !drawn && left.size() > 1 && graph.untried(node, role) == 0) {
      return distribute(graph.edges(node, role), node, role, policy, left);
    }
    places[i] = drawn ? draw_move(graph, node, role, policy, rng)
                      : choose_move(graph, node, role, policy, rng);
    if (places[i] != Graph::kNoPlace) ++graph.edges(node, role)[places[i]].in_flight;
  }
}

/// All moves have an edge, or one that has it is proved to win.
void Chooser::distribute(std::span<Edge> edges, const Node& node, gdl::RoleIndex role,
                         const SelectionPolicy& policy, std::span<std::uint32_t> places) {
  auto only = edges.size() == 1 ? std::optional(0U) : std::nullopt;
  if (!only && node.bounded()) only = find_won(edges);
  if (only) {
    std::ranges::fill(places, *only);
    edges[*only].in_flight = static_cast<std::uint16_t>(edges[*only].in_flight + places.size());
    return;
  }
  take_best(edges, measure_of(edges, 0, node, role, policy), scores_, places);
}

/// Computes the biases of the moves; false if there are none. If only proof numbers speak for
/// moves, the untried ones are equal and have one bias together.
bool Chooser::find_biases(const Graph& graph, const Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, const Path& path) {
  const std::uint32_t count = node.move_count(role);
  if (!node.has_decider() || count == 1) return false;
  const Guides& guides = policy.guides;
  const bool by_playouts = path.reference != nullptr && guides.grave->matters(node.visits, count);
  const bool some = node.tried > 0 && guides.proofs.bias != ProofBias::Rank;
  const bool by_proofs = guides.proofs.weight > 0 && (node.tried == count || some);
  if (!by_playouts && !by_proofs) return false;
  biases_.assign(by_playouts ? count : std::min(count, node.tried + 1), {});
  if (by_playouts) guides.grave->add_bias(*path.reference, node, role, biases_);
  if (by_proofs) {
    const auto edges = graph.edges(node, role);
    const float spread = policy.spread.empty() ? 1 : policy.spread[role];
    proof_bonus_.add(graph, node, measure_of(edges, 0, node, role, policy).candidates,
                     guides.proofs.bias, guides.proofs.weight * spread, biases_);
  }
  if (!by_playouts && node.tried < count && guides.ngrams != nullptr && path.last) {
    const Turn next{role, node.move(role, node.tried)};
    biases_.back().bonus += guides.ngrams->expected_gain(*path.last, next);
  }
  return true;
}

/// Returns the places that are left when one of several equal untried moves has got an edge: then
/// the others have another bias.
std::span<std::uint32_t> Chooser::choose_guided(Graph& graph, Node& node,
                                                const SelectionPolicy& policy, const Path& path,
                                                gdl::Rng& rng, std::span<std::uint32_t> places) {
  const gdl::RoleIndex role = node.decider();
  auto edges = graph.edges(node, role);
  if (node.bounded() && find_won(edges)) {
    distribute(edges, node, role, policy, places);
    return {};
  }
  const UcbTerms measure = measure_of(edges, graph.untried(node, role), node, role, policy);
  find_scores(edges, measure, policy.first_ties, rng);
  const bool equal = biases_.size() < node.move_count(role);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::uint32_t& place = places[i];
    edges = graph.edges(node, role);
    const bool another = edges.size() < biases_.size() && is_another_due(edges, node, policy);
    const auto end = another ? scores_.end() : scores_.begin() + static_cast<long>(edges.size());
    place = static_cast<std::uint32_t>(std::max_element(scores_.begin(), end) - scores_.begin());
    if (place >= edges.size()) {
      const auto best = place;
      place = equal ? open_next(graph, node, policy, path, rng)
                    : graph.open(node, role, best - static_cast<std::uint32_t>(edges.size()));
      if (place != Graph::kNoPlace && equal) {
        ++graph.edges(node, role)[place].in_flight;
        return places.subspan(i + 1);
      }
      if (place != Graph::kNoPlace) {
        std::swap(scores_[place], scores_[best]);
        std::swap(biases_[place], biases_[best]);
      } else if (edges.empty()) {
        continue;
      } else {
        const auto tried = scores_.begin() + static_cast<long>(edges.size());
        const auto first = scores_.begin();
        place = static_cast<std::uint32_t>(std::max_element(first, tried) - first);
      }
    }
    Edge& edge = graph.edges(node, role)[place];
    ++edge.in_flight;
    scores_[place] = guided_score(edge, biases_[place], measure);
  }
  return {};
}

/// Computes the scores of the moves that have a bias.
void Chooser::find_scores(std::span<const Edge> edges, const UcbTerms& measure, bool first_ties,
                          gdl::Rng& rng) {
  scores_.clear();
  for (std::size_t i = 0; i < biases_.size(); ++i) {
    const bool tried = i < edges.size();
    const bool refuted = tried && measure.by_bounds && !measure.candidates.admits(edges[i].bounds);
    // Equal untried moves are tried in random order.
    const float lot = tried || first_ties ? 0 : 1e-6F * static_cast<float>(rng.below(1000));
    const float score = guided_score(tried ? edges[i] : Edge(), biases_[i], measure) + lot;
    scores_.push_back(refuted ? kNeverChosen : score);
  }
}

/// Gives an edge to the next of the untried moves, which are in the order of `choose_in_order` if
/// there is one.
std::uint32_t Chooser::open_next(Graph& graph, Node& node, const SelectionPolicy& policy,
                                 const Path& path, gdl::Rng& rng) {
  const gdl::RoleIndex role = node.decider();
  if (policy.guides.ngrams == nullptr || !path.last) {
    return graph.open(node, role, pick_untried(node, role, node.tried, policy, rng));
  }
  const auto place = graph.open(node, role, 0);
  if (place != Graph::kNoPlace && node.tried % kInOrder == 0) {
    put_in_order(node, policy, *path.last, rng);
  }
  return place;
}

/// Some moves were not tried: the next of them is a candidate.
void Chooser::choose_in_order(Graph& graph, Node& node, const SelectionPolicy& policy,
                              const Turn& before, gdl::Rng& rng, std::span<std::uint32_t> places) {
  const gdl::RoleIndex role = node.decider();
  const NGrams& ngrams = *policy.guides.ngrams;
  if (node.tried == 0) put_in_order(node, policy, before, rng);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto edges = graph.edges(node, role);
    const std::uint32_t untried = graph.untried(node, role);
    const auto won = node.bounded() ? find_won(edges) : std::nullopt;
    if (won || untried == 0) return distribute(edges, node, role, policy, places.subspan(i));
    bool another = is_another_due(edges, node, policy);
    if (!edges.empty()) {
      const UcbTerms measure = measure_of(edges, another ? untried : 0, node, role, policy);
      places[i] = best_of(edges, measure);
      const Edge& best = edges[places[i]];
      const float gain = ngrams.expected_gain(before, {role, node.move(role, node.tried)});
      another = another && ((measure.by_bounds && !measure.candidates.admits(best.bounds)) ||
                            score_of(best, measure) <=
                                measure.node_mean + gain + std::sqrt(measure.exploration));
    }
    const auto opened = another ? graph.open(node, role, 0) : Graph::kNoPlace;
    if (opened != Graph::kNoPlace || edges.empty()) {
      places[i] = opened;
      if (node.tried % kInOrder == 0 && untried > 1) put_in_order(node, policy, before, rng);
    }
    if (places[i] != Graph::kNoPlace) ++graph.edges(node, role)[places[i]].in_flight;
  }
}

/// Moves the most promising of the next few moves to the front, the best first; equals are in the
/// order of their means, or in random order.
void Chooser::put_in_order(Node& node, const SelectionPolicy& policy, const Turn& before,
                           gdl::Rng& rng) {
  const gdl::RoleIndex role = node.decider();
  const std::uint32_t tried = node.tried, untried = node.move_count(role) - tried;
  policy.guides.ngrams->expect(before, node, role, tried, scores_);
  const MoveMeans* const means = policy.move_means.get();
  const std::uint64_t lot = policy.first_ties || means != nullptr ? 0 : rng();
  for (std::uint32_t i = 0; i < untried; ++i) {
    const float tie = means == nullptr ? static_cast<float>(lot >> i % 58 & 63)
                                       : 64 * means->of(role, node.move(role, tried + i));
    scores_[i] += 1e-6F * tie;
  }
  for (std::uint32_t i = 0; i < std::min(kInOrder, untried); ++i) {
    const auto best = static_cast<std::uint32_t>(
        std::max_element(scores_.begin() + i, scores_.end()) - scores_.begin());
    if (best == i) continue;
    std::swap(scores_[i], scores_[best]);
    node.swap_moves(role, tried + i, tried + best);
  }
}

}  // namespace ludens::search::mcts
