// SPDX-License-Identifier: MIT
// The scores by which selection compares the moves of a role, many at a time.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "search/mcts/candidates.h"

namespace ludens::search::mcts {

/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) as in UCT (Kocsis and Szepesvari 2006):
///
///     wins / trials + gamma * sqrt(ln(parent_trials) / trials)
///
/// `wins` is a sum of goals scaled to 0..1, `gamma` weighs exploration. `trials` > 0 and
/// `parent_trials` >= 1. Selection computes it for four moves at a time.
inline double ucb_score(double wins, double trials, double parent_trials, double gamma) {
  return wins / trials + gamma * std::sqrt(std::log(parent_trials) / trials);
}

/// ln(x) for x >= 1 within 0.01: it is the root of it that counts, for no move more than another.
inline float rough_log(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float exponent = static_cast<float>(bits >> 23) - 127.0F;
  const float m = std::bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U);  // in 1..2
  const float log2 = exponent + (2.0F - m / 3.0F) * m - 1.6666667F;
  return log2 > 0 ? 0.693147F * log2 : 0.0F;
}

/// By what the best of a role's edges is told.
struct UcbTerms {
  float exploration;  // gamma, squared, times the logarithm of the node's trials
  float node_mean;    // for what is only in flight
  bool by_bounds;     // who is no candidate is never best
  Candidates candidates;
};

/// A score below those of all candidates.
inline constexpr float kNeverChosen = -1e30F;
/// How many edges are rated at a time: eight where the processor has AVX-512, else four. The places
/// chosen are the same.
enum class RatingWidth : std::uint8_t { Four, Eight };
[[nodiscard]] RatingWidth widest_rating();

/// The UCB score of an edge, if it is a candidate.
[[nodiscard]] float score_of(const Edge& edge, const UcbTerms& measure);
/// The place of the largest UCB score (`ucb_score`), the first of equals. Descents in flight count
/// as visits that brought nothing, and where they are all that a move has, its value is the node's.
/// There is an edge.
std::uint32_t best_of(std::span<const Edge> edges, const UcbTerms& measure,
                      RatingWidth width = widest_rating());
/// The same for descents that choose one after another; each counts as in flight on its edge.
/// `scores` is room to work in.
void take_best(std::span<Edge> edges, const UcbTerms& measure, std::vector<float>& scores,
               std::span<std::uint32_t> places, RatingWidth width = widest_rating());

}  // namespace ludens::search::mcts
