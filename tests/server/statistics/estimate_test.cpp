// SPDX-License-Identifier: MIT
#include "server/statistics/estimate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "server/statistics/elo.h"
#include "tests/sanitizers.h"
#include "tests/server/statistics/block_source.h"

namespace ludens::server {
namespace {

BlockMean of(const std::vector<double>& scores) {
  BlockMean blocks;
  for (const double score : scores) blocks.add(score);
  return blocks;
}

TEST(Estimate, OfNothingSaysNothing) {
  const Estimate nothing = BlockMean().estimate();
  EXPECT_EQ(nothing.blocks, 0u);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
}

TEST(Estimate, IsStudentsIntervalOfTheBlockScores) {
  // Mean (0.5 + 0.5 + 0.75 + 0.25) / 4 = 0.5; squares 0 + 0 + 0.0625 + 0.0625 = 0.125; variance
  // 0.125 / 3 = 0.0416667; error of the mean sqrt(0.0416667 / 4) = 0.1020621; t of 3 degrees of
  // freedom at 97.5 % is 3.182446 in the tables; 3.182446 x 0.1020621 = 0.3248071.
  const BlockMean blocks = of({0.5, 0.5, 0.75, 0.25});
  EXPECT_NEAR(blocks.variance(), 0.0416667, 1e-6);
  const Estimate estimate = blocks.estimate();
  EXPECT_EQ(estimate.blocks, 4u);
  EXPECT_NEAR(estimate.mean, 0.5, 1e-12);
  EXPECT_NEAR(estimate.low, 0.5 - 0.3248071, 1e-6);
  EXPECT_NEAR(estimate.high, 0.5 + 0.3248071, 1e-6);
}

TEST(Estimate, StaysWithinTheScale) {
  // Mean 0.75, variance (0.0625 + 0 + 0.0625) / 2 = 0.0625, error sqrt(0.0625 / 3) = 0.1443376, t
  // of 2 degrees 4.302653: 0.75 +- 0.6210344.
  const Estimate estimate = of({0.5, 0.75, 1}).estimate();
  EXPECT_NEAR(estimate.low, 0.75 - 0.6210344, 1e-6);
  EXPECT_EQ(estimate.high, 1);
}

TEST(Estimate, OfManyBlocksIsTheNormalApproximation) {
  // 5,000 blocks of 1 and 5,000 of 0: mean 0.5, error 0.5 / 100 = 0.005, 1.959964 x 0.005 = 0.0098.
  BlockMean blocks;
  for (int i = 0; i < 10'000; ++i) blocks.add(i % 2);
  const Estimate estimate = blocks.estimate();
  EXPECT_NEAR(estimate.low, 0.4902, 1e-5);
  EXPECT_NEAR(estimate.high, 0.5098, 1e-5);
}

TEST(Estimate, OfEqualScoresIsNotCertain) {
  // Five of five: 0.025^(1/5) = e^(-3.688879 / 5) = 0.478176, the lower limit of Clopper and
  // Pearson.
  const Estimate won = of({1, 1, 1, 1, 1}).estimate();
  EXPECT_EQ(won.mean, 1);
  EXPECT_NEAR(won.low, 0.478176, 1e-6);
  EXPECT_NEAR(won.high, 1, 1e-12);
  // One block of 0.5: others come with at most 0.975, so 0.025 x 0.5 .. 0.025 x 0.5 + 0.975.
  const Estimate one = of({0.5}).estimate();
  EXPECT_NEAR(one.low, 0.0125, 1e-9);
  EXPECT_NEAR(one.high, 0.9875, 1e-9);
}

TEST(Estimate, TakesScoresForEqualThatDifferByRoundingOnly) {
  // The advantage of 0.05 in two blocks, as computed from scores of 0.55 and 0.5, 0.6 and 0.55.
  const double one = 0.5 + (0.55 - 0.5) / 2, other = 0.5 + (0.6 - 0.55) / 2;
  ASSERT_NE(one, other);
  const Estimate estimate = of({one, other}).estimate(), equal = of({one, one}).estimate();
  EXPECT_NEAR(estimate.mean, equal.mean, 1e-12);
  EXPECT_NEAR(estimate.low, equal.low, 1e-9);
  EXPECT_NEAR(estimate.high, equal.high, 1e-9);
}

TEST(Estimate, AgreesWithTheBootstrap) {
  std::mt19937_64 random(4);
  BlockSource source({0, 0.25, 0.5, 0.75, 1}, {1, 2, 4, 3, 2}, 0.58);
  std::vector<double> scores(60);
  for (double& score : scores) score = source(random);
  const Estimate estimate = of(scores).estimate();

  std::uniform_int_distribution<std::size_t> any(0, scores.size() - 1);
  std::vector<double> means(20'000);
  for (double& mean : means) {
    for (std::size_t i = 0; i < scores.size(); ++i) mean += scores[any(random)];
    mean /= static_cast<double>(scores.size());
  }
  std::sort(means.begin(), means.end());
  EXPECT_NEAR(estimate.low, means[means.size() * 25 / 1000], 0.006);
  EXPECT_NEAR(estimate.high, means[means.size() * 975 / 1000], 0.006);
}

struct Experiment {
  const char* what;
  std::vector<double> scores, weights;
  double mean;
  int blocks;
};

class IntervalCoverage : public testing::TestWithParam<Experiment> {};

TEST_P(IntervalCoverage, IsNinetyFivePercent) {
  const Experiment& experiment = GetParam();
  BlockSource source(experiment.scores, experiment.weights, experiment.mean);
  std::mt19937_64 random(11);
  const int runs = kSanitized ? 1'000 : 5'000;
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    BlockMean blocks;
    for (int i = 0; i < experiment.blocks; ++i) blocks.add(source(random));
    const Estimate estimate = blocks.estimate();
    covered += estimate.low <= experiment.mean && experiment.mean <= estimate.high;
  }
  const double coverage = 100.0 * covered / runs;
  RecordProperty("coverage_percent", std::to_string(coverage));
  EXPECT_GE(coverage, kSanitized ? 93 : 94);
  EXPECT_LE(coverage, experiment.blocks < 20 ? 99.5 : 97);  // few blocks: on the safe side
}

INSTANTIATE_TEST_SUITE_P(
    KnownStrengths, IntervalCoverage,
    testing::Values(Experiment{"few", {0, .25, .5, .75, 1}, {1, 2, 4, 2, 1}, 0.55, 8},
                    Experiment{"pairs", {0, .25, .5, .75, 1}, {1, 2, 4, 2, 1}, 0.6, 40},
                    Experiment{"drawish", {0, .25, .5, .75, 1}, {1, 4, 20, 4, 1}, 0.52, 60},
                    Experiment{"unfair", {0, .5, 1}, {1, 10, 1}, 0.53, 80},
                    Experiment{"strong", {0, .25, .5, .75, 1}, {1, 2, 4, 2, 1}, 0.85, 60},
                    Experiment{"many_goals",
                               {.1, .17, .33, .4, .52, .66, .71, .9},
                               {1, 1, 1, 1, 1, 1, 1, 1},
                               0.45,
                               300}),
    [](const auto& setting) { return setting.param.what; });

TEST(Elo, IsTheLogisticDifference) {
  EXPECT_EQ(elo_of_score(0.5), 0);
  EXPECT_NEAR(elo_of_score(0.75), 190.848502, 1e-5);   // 400 log10 3
  EXPECT_NEAR(elo_of_score(0.25), -190.848502, 1e-5);  // the other side of it
  EXPECT_NEAR(score_of_elo(400), 10.0 / 11, 1e-12);
  EXPECT_TRUE(std::isinf(elo_of_score(1)));
  EXPECT_LT(elo_of_score(0), -1e300);
}

TEST(Elo, HasTheErrorOfItsInterval) {
  // 0.6 in 0.5 .. 0.75: 400 log10 1.5 = 70.43650, between 0 and 190.84850; half of it is 95.42425.
  const Elo elo = elo_of({.blocks = 9, .mean = 0.6, .low = 0.5, .high = 0.75});
  EXPECT_NEAR(elo.difference, 70.43650, 1e-4);
  EXPECT_NEAR(elo.low, 0, 1e-9);
  EXPECT_NEAR(elo.high, 190.84850, 1e-4);
  EXPECT_NEAR(elo.error(), 95.42425, 1e-4);
}

}  // namespace
}  // namespace ludens::server
