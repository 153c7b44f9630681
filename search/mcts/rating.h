// SPDX-License-Identifier: MIT
// The scores by which selection compares the moves of a role, many at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "search/mcts/candidates.h"

namespace ludens::search::mcts {

/// ln(x) for x >= 1 within 0.01: only its square root is used, with the same error for all moves.
inline float rough_log(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float exponent = static_cast<float>(bits >> 23) - 127.0F;
  const float m = std::bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U);  // in 1..2
  const float log2 = exponent + (2.0F - m / 3.0F) * m - 1.6666667F;
  return log2 > 0 ? 0.693147F * log2 : 0.0F;
}

/// The terms by which the best of a role's edges is found.
struct UcbTerms {
  float exploration;  // gamma, squared, times the logarithm of the node's trials
  float node_mean;    // for edges with only descents in flight
  bool by_bounds;     // an edge that is not a candidate is never best
  Candidates candidates;
};

/// A score below those of all candidates.
inline constexpr float kNeverChosen = -1e30F;
/// How many edges are rated at a time: eight if the processor has AVX-512, otherwise four. The
/// chosen places are the same.
enum class RatingWidth : std::uint8_t { Four, Eight };
[[nodiscard]] RatingWidth widest_rating();

/// The UCB score of an edge, if it is a candidate: UCB1 (Auer, Cesa-Bianchi and Fischer 2002) as in
/// UCT (Kocsis and Szepesvari 2006),
///
///     wins / trials + gamma * sqrt(ln(parent_trials) / trials)
///
/// `wins` is a sum of goals scaled to 0..1, `gamma` weighs exploration. Descents in flight count as
/// trials with value 0. If a move has no other trials, its value is the node's.
[[nodiscard]] float score_of(const Edge& edge, const UcbTerms& measure);
/// The place of the largest UCB score, the first of equals. There must be an edge.
std::uint32_t best_of(std::span<const Edge> edges, const UcbTerms& measure,
                      RatingWidth width = widest_rating());
/// The same for descents that choose one after another; each counts as in flight on its edge.
/// `scores` is scratch memory.
void take_best(std::span<Edge> edges, const UcbTerms& measure, std::vector<float>& scores,
               std::span<std::uint32_t> places, RatingWidth width = widest_rating());

}  // namespace ludens::search::mcts
