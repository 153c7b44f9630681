// SPDX-License-Identifier: MIT
#include "server/statistics/sprt.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include "server/statistics/elo.h"
#include "tests/sanitizers.h"
#include "tests/server/statistics/block_source.h"

namespace ludens::server {
namespace {

void add(Sprt& test, double score, int times) {
  for (int i = 0; i < times; ++i) test.add(score);
}

TEST(Sprt, HasTheBoundsOfWald) {
  // log(0.95 / 0.05) = log 19 = 2.944439; with beta 0.1: log(0.1 / 0.95) = -2.251292 and
  // log(0.9 / 0.05) = log 18 = 2.890372.
  const Sprt even({.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05});
  EXPECT_NEAR(even.lower(), -2.944439, 1e-6);
  EXPECT_NEAR(even.upper(), 2.944439, 1e-6);
  const Sprt uneven({.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.1});
  EXPECT_NEAR(uneven.lower(), -2.251292, 1e-6);
  EXPECT_NEAR(uneven.upper(), 2.890372, 1e-6);
  EXPECT_EQ(even.llr(), 0);
  EXPECT_EQ(even.decision(), SprtDecision::Undecided);
}

TEST(Sprt, OfWinsAndLossesIsThatOfACoin) {
  // 100 Elo is a score of 1 / (1 + 10^-0.25) = 0.6400650. A block won is worth
  // log(0.640065 / 0.5) = 0.246962, one lost log(0.359935 / 0.5) = -0.328685; a thousandth of each
  // is always there. One win: 1.001 x 0.246962 - 0.001 x 0.328685 = 0.246880.
  Sprt test({.elo0 = 0, .elo1 = 100});
  test.add(1);
  EXPECT_NEAR(test.llr(), 0.246880, 1e-6);
  // Seven won, three lost: 7.001 x 0.246962 - 3.001 x 0.328685 = 0.742597.
  add(test, 1, 6);
  add(test, 0, 3);
  EXPECT_NEAR(test.llr(), 0.742597, 1e-5);
}

TEST(Sprt, FitsTheMostLikelyDistributions) {
  // 6 won, 9 drawn, 1 lost; H0: 0.5, H1: 0.6, which is 400 log10 1.5 = 70.43650 Elo.
  // With mean 0.5 wins and losses have the same probability p: 7 log p + 9 log(1 - 2p) is largest
  // at p = 7/32 = 0.21875, draws 0.5625. With mean 0.6 losses have l, wins l + 0.2, draws 0.8 - 2l:
  // 6 / (l + 0.2) + 1 / l = 18 / (0.8 - 2l) at l = 0.1 (20 + 10 = 30), so wins 0.3, draws 0.6.
  // 6 log(0.3 / 0.21875) + 9 log(0.6 / 0.5625) + log(0.1 / 0.21875)
  //   = 6 x 0.315853 + 9 x 0.064539 - 0.782759 = 1.693206, but for two thousandths of a block.
  Sprt test({.elo0 = 0, .elo1 = 70.43650});
  add(test, 1, 6);
  add(test, 0.5, 9);
  add(test, 0, 1);
  EXPECT_NEAR(test.llr(), 1.693206, 2e-3);
}

TEST(Sprt, OfManyBlocksGoesByTheEmpiricalVariance) {
  // 100 blocks of 0, 400 of 0.25, 1,000 of 0.5, 420 of 0.75 and 120 of 1, 2,040 in all.
  // Mean: (400 x 0.25 + 1,000 x 0.5 + 420 x 0.75 + 120) / 2,040 = 1,035 / 2,040 = 0.5073529.
  // Mean square: (25 + 250 + 236.25 + 120) / 2,040 = 0.3094363; variance 0.0520293.
  // s1 = 1 / (1 + 10^-0.0125) = 0.5071953. n (s1 - s0) (2 mean - s0 - s1) / (2 variance)
  //   = 2,040 x 0.0071953 x 0.0075105 / 0.1040587 = 1.059433.
  std::vector<double> scores;
  for (const auto& [score, times] : std::vector<std::pair<double, std::size_t>>{
           {0, 100}, {0.25, 400}, {0.5, 1000}, {0.75, 420}, {1, 120}}) {
    scores.insert(scores.end(), times, score);
  }
  std::mt19937_64 random(8);
  std::shuffle(scores.begin(), scores.end(), random);
  Sprt test({.elo0 = 0, .elo1 = 5, .alpha = 1e-6, .beta = 1e-6});  // not to be over before
  for (const double score : scores) test.add(score);
  EXPECT_EQ(test.blocks(), 2040u);
  EXPECT_NEAR(test.llr(), 1.0594, 0.01);
}

TEST(Sprt, MirrorsWhenThePlayersChangePlaces) {
  Sprt one({.elo0 = -10, .elo1 = 30}), other({.elo0 = -30, .elo1 = 10});
  for (const double score : {1.0, 0.5, 0.25, 0.75, 0.75, 1.0, 0.0}) {
    one.add(score);
    other.add(1 - score);
    EXPECT_NEAR(one.llr(), -other.llr(), 1e-9);
  }
}

TEST(Sprt, DoesNotJumpToConclusionsFromEqualScores) {
  // The empirical variance is 0 here: a formula that divides by it would decide at once.
  Sprt won({.elo0 = 0, .elo1 = 20}), drawn({.elo0 = 0, .elo1 = 20});
  add(won, 1, 3);
  add(drawn, 0.5, 3);
  EXPECT_EQ(won.decision(), SprtDecision::Undecided);
  EXPECT_EQ(drawn.decision(), SprtDecision::Undecided);
  EXPECT_GT(won.llr(), 0);
  EXPECT_LT(drawn.llr(), 0);
}

TEST(Sprt, IsOverWithItsDecision) {
  Sprt test({.elo0 = 0, .elo1 = 100});
  // A block won is worth 0.246962: 2.944439 / 0.246962 = 11.92, so twelve.
  add(test, 1, 11);
  EXPECT_EQ(test.decision(), SprtDecision::Undecided);
  add(test, 1, 1);
  EXPECT_EQ(test.decision(), SprtDecision::AcceptH1);
  const double llr = test.llr();
  EXPECT_GE(llr, test.upper());
  add(test, 0, 30);
  EXPECT_EQ(test.decision(), SprtDecision::AcceptH1);
  EXPECT_EQ(test.blocks(), 12u);
  EXPECT_EQ(test.llr(), llr);
}

TEST(Sprt, ComplainsOfParametersThatMakeNoTest) {
  EXPECT_FALSE(complaint({}));
  EXPECT_TRUE(complaint({.elo0 = 5, .elo1 = 5}));
  EXPECT_TRUE(complaint({.elo0 = 0, .elo1 = 5000}));
  EXPECT_TRUE(complaint({.elo0 = 0, .elo1 = std::nan("")}));
  EXPECT_TRUE(complaint({.elo0 = 0, .elo1 = 5, .alpha = 0}));
  EXPECT_TRUE(complaint({.elo0 = 0, .elo1 = 5, .alpha = 0.5, .beta = 0.5}));
}

struct Setting {
  const char* what;
  std::vector<double> scores, weights;
  SprtPlan test;
};

struct Outcome {
  double accepted_h0 = 0, accepted_h1 = 0, blocks = 0;  // shares of the runs; mean length
};

constexpr int kRuns = kSanitized ? 2'000 : 10'000;
// Ends runs that never would; far beyond the longest, so that it does not hide wrong decisions.
constexpr int kBlocksAtMost = 20'000;

Outcome simulate(const Setting& setting, double true_elo) {
  std::mt19937_64 random(2024);
  BlockSource source(setting.scores, setting.weights, score_of_elo(true_elo));
  Outcome outcome;
  for (int run = 0; run < kRuns; ++run) {
    Sprt test(setting.test);
    for (int i = 0; i < kBlocksAtMost && test.decision() == SprtDecision::Undecided; ++i) {
      test.add(source(random));
    }
    outcome.accepted_h0 += test.decision() == SprtDecision::AcceptH0;
    outcome.accepted_h1 += test.decision() == SprtDecision::AcceptH1;
    outcome.blocks += static_cast<double>(test.blocks());
  }
  outcome.accepted_h0 /= kRuns;
  outcome.accepted_h1 /= kRuns;
  outcome.blocks /= kRuns;
  return outcome;
}

class SprtErrorRates : public testing::TestWithParam<Setting> {};

TEST_P(SprtErrorRates, AreNotAboveThoseAskedFor) {
  const Setting& setting = GetParam();
  const double margin = kSanitized ? 0.02 : 0.01;  // two and four standard errors of the share
  const Outcome h0 = simulate(setting, setting.test.elo0);
  EXPECT_LE(h0.accepted_h1, setting.test.alpha + margin);
  EXPECT_GE(h0.accepted_h0, 1 - setting.test.alpha - margin) << "runs must end";
  const Outcome h1 = simulate(setting, setting.test.elo1);
  EXPECT_LE(h1.accepted_h0, setting.test.beta + margin);
  EXPECT_GE(h1.accepted_h1, 1 - setting.test.beta - margin) << "runs must end";
  RecordProperty("false_h1", std::to_string(h0.accepted_h1));
  RecordProperty("false_h0", std::to_string(h1.accepted_h0));
  std::cout << setting.what << ", " << kRuns << " runs each: H0 true: H1 accepted "
            << 100 * h0.accepted_h1 << " %, " << h0.blocks << " blocks; H1 true: H0 accepted "
            << 100 * h1.accepted_h0 << " %, " << h1.blocks << " blocks\n";
}

INSTANTIATE_TEST_SUITE_P(
    Simulated, SprtErrorRates,
    testing::Values(
        Setting{"pairs", {0, .25, .5, .75, 1}, {1, 2, 4, 2, 1}, {.elo0 = 0, .elo1 = 60}},
        Setting{"drawish", {0, .25, .5, .75, 1}, {1, 4, 20, 4, 1}, {.elo0 = 0, .elo1 = 60}},
        Setting{"unfair", {0, .5, 1}, {1, 6, 1}, {.elo0 = 0, .elo1 = 80}},
        Setting{"decisive", {0, 1}, {1, 1}, {.elo0 = 0, .elo1 = 150}},
        Setting{"not_worse", {0, .25, .5, .75, 1}, {1, 2, 4, 2, 1}, {.elo0 = -80, .elo1 = 0}},
        Setting{
            "strict", {0, .5, 1}, {1, 2, 1}, {.elo0 = 0, .elo1 = 100, .alpha = 0.01, .beta = 0.1}},
        Setting{"many_goals",
                {.1, .17, .33, .4, .52, .66, .71, .9},
                {1, 1, 1, 1, 1, 1, 1, 1},
                {.elo0 = 0, .elo1 = 80}}),
    [](const auto& setting) { return setting.param.what; });

}  // namespace
}  // namespace ludens::server
