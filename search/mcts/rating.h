// The scores by which selection compares the moves of a role, many at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mcts/selection.h"

namespace ludens::search::mcts {

/// By what the best of a role's edges is told.
struct Measure {
  float exploration;  // gamma, squared, times the logarithm of the node's trials
  float node_mean;    // for what is only in flight
  bool by_bounds;     // who is no candidate is never best
  Outlook outlook;
};

/// A score below those of all candidates.
inline constexpr float kNeverChosen = -1e30F;
/// How many edges are rated at a time: eight where the processor has AVX-512, else four. The places
/// chosen are the same.
enum class RatingWidth : std::uint8_t { Four, Eight };
[[nodiscard]] RatingWidth widest_rating();

/// The UCB score of an edge, if it is a candidate.
[[nodiscard]] float score_of(const Edge& edge, const Measure& measure);
/// The place of the largest UCB score (`score.h`), the first of equals. Descents in flight count as
/// visits that brought nothing, and where they are all that a move has, its value is the node's.
/// There is an edge.
std::uint32_t best_of(std::span<const Edge> edges, const Measure& measure,
                      RatingWidth width = widest_rating());
/// The same for descents that choose one after another; each counts as in flight on its edge.
/// `scores` is room to work in.
void take_best(std::span<Edge> edges, const Measure& measure, std::vector<float>& scores,
               std::span<std::uint32_t> places, RatingWidth width = widest_rating());

}  // namespace ludens::search::mcts
