// SPDX-License-Identifier: MIT
#include "search/mcts/rating.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdl/machine/rng.h"
#include "search/mcts/worker.h"

namespace ludens::search::mcts {
namespace {

TEST(UcbScore, TheRoughLogarithmIsCloseEnough) {
  for (float x = 1; x < 1e9F; x *= 1.01F) EXPECT_NEAR(rough_log(x), std::log(x), 0.01) << x;
}

float ucb_score(float wins, std::uint32_t trials, float parent_trials, float gamma) {
  const Edge edge{wins / static_cast<float>(trials), trials, {kNoNode}, 0, {}};
  return score_of(edge, {gamma * gamma * std::log(parent_trials), 0, false, Candidates({}, 0)});
}

TEST(UcbScore, IsTheMeanAndTheExplorationTerm) {
  EXPECT_NEAR(ucb_score(60, 79, 100, 1.4F), 0.75949 + 1.4 * 0.24144, 1e-4);
  EXPECT_NEAR(ucb_score(1, 10, 100, 1.4F), 0.1 + 1.4 * 0.67861, 1e-4);
  EXPECT_NEAR(ucb_score(2, 11, 100, 1.4F), 0.18182 + 1.4 * 0.64703, 1e-4);
  EXPECT_FLOAT_EQ(ucb_score(3, 4, 50, 0), 0.75F);
}

std::vector<RatingWidth> widths() {
  std::vector<RatingWidth> all{RatingWidth::Four};
  if (widest_rating() == RatingWidth::Eight) all.push_back(RatingWidth::Eight);
  return all;
}

Edge random_edge(gdl::Rng& rng) {
  Edge edge{};
  edge.visits = rng.below(4) == 0 ? 0 : rng.below(1000);
  edge.mean = static_cast<float>(rng.below(1001)) / 1000;
  edge.in_flight = static_cast<std::uint16_t>(edge.visits == 0 ? 1 + rng.below(5) : rng.below(9));
  edge.bounds.low = static_cast<std::uint8_t>(rng.below(3) == 0 ? rng.below(100) : 0);
  edge.bounds.high = static_cast<std::uint8_t>(
      rng.below(3) == 0 ? edge.bounds.low + rng.below(101U - edge.bounds.low) : 100);
  return edge;
}

std::vector<Edge> random_edges(gdl::Rng& rng) {
  std::vector<Edge> edges(1 + rng.below(40));
  std::ranges::generate(edges, [&] { return random_edge(rng); });
  return edges;
}

UcbTerms random_measure(const std::vector<Edge>& edges, gdl::Rng& rng) {
  const bool by_bounds = rng.below(2) == 0;
  return {static_cast<float>(rng.below(100)) / 100, static_cast<float>(rng.below(101)) / 100,
          by_bounds, Candidates(by_bounds ? edges : std::vector<Edge>(), rng.below(2))};
}

/// By the formula, one edge after the other.
std::uint32_t best_one_by_one(const std::vector<Edge>& edges, const UcbTerms& measure) {
  std::uint32_t best = 0;
  float most = 2 * kNeverChosen;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const float share = 1 / static_cast<float>(std::max(1U, edge.visits + edge.in_flight));
    const float won = edge.mean * static_cast<float>(edge.visits);
    const float value = edge.visits == 0 ? measure.node_mean : won * share;
    float score = value + std::sqrt(measure.exploration * share);
    if (measure.by_bounds && !measure.candidates.admits(edge.bounds)) score = kNeverChosen;
    if (score <= most) continue;
    most = score;
    best = i;
  }
  return best;
}

TEST(MctsRating, IsRightUpToTheMostVisits) {
  const Edge often{0.9F, Node::kMostVisits - 10, {kNoNode}, 10, {}},
      rarely{0.1F, 10, {kNoNode}, 0, {}};
  const std::vector<Edge> edges{often, rarely};
  for (const RatingWidth width : widths()) {
    EXPECT_EQ(best_of(edges, {0, 0.5F, false, Candidates({}, 0)}, width), 0U);
  }
}

TEST(MctsRating, ASearchEndsBeforeThereAreMoreVisits) {
  SharedSearch search(nullptr, std::size_t{1} << 20);
  const std::vector<gdl::MoveId> moves{1, 2};
  const std::vector<std::uint32_t> begins{0, 2};
  ASSERT_TRUE(search.graph.plant({{}, false, {}, moves, begins}, 0, 0));
  for (const auto& [visits, descents] :
       {std::pair{0U, 1000U}, {Node::kMostVisits - 10, 10U}, {Node::kMostVisits, 0U}}) {
    search.graph[search.graph.root()].visits = visits;
    search.restart(1000);
    EXPECT_EQ(search.descents_left, descents);
  }
}

TEST(MctsRating, ManyAtATimeIsAsOneByOne) {
  gdl::Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const auto edges = random_edges(rng);
    const UcbTerms measure = random_measure(edges, rng);
    const std::uint32_t expected = best_one_by_one(edges, measure);
    for (const RatingWidth width : widths()) {
      ASSERT_EQ(best_of(edges, measure, width), expected) << "of " << edges.size();
    }
  }
}

TEST(MctsRating, SeveralDescentsChooseAsOneAfterTheOther) {
  gdl::Rng rng(8);
  for (int i = 0; i < 500; ++i) {
    const auto edges = random_edges(rng);
    UcbTerms measure = random_measure(edges, rng);
    measure.by_bounds = false;
    auto one_by_one = edges;
    std::vector<std::uint32_t> expected(1 + rng.below(30));
    for (std::uint32_t& place : expected) {
      place = best_one_by_one(one_by_one, measure);
      ++one_by_one[place].in_flight;
    }
    for (const RatingWidth width : widths()) {
      auto taken = edges;
      std::vector<float> scores;
      std::vector<std::uint32_t> places(expected.size());
      take_best(taken, measure, scores, places, width);
      ASSERT_EQ(places, expected) << "of " << edges.size();
      for (std::size_t e = 0; e < edges.size(); ++e) {
        ASSERT_EQ(taken[e].in_flight, one_by_one[e].in_flight);
      }
    }
  }
}

}  // namespace
}  // namespace ludens::search::mcts
