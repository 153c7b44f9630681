// SPDX-License-Identifier: MIT
#include "search/mcts/policy_contest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ludens::search::mcts::test {
namespace {

using testing::HasSubstr;
using Share = std::optional<double>;

constexpr std::size_t kUniform = PolicyContest::kUniform;

/// A contest of three that has all time.
PolicyContest played(PolicyContest::PlayPair play) {
  PolicyContest contest({"first", "second", "third"}, std::move(play));
  contest.run(Deadline(), Deadline());
  return contest;
}

TEST(PolicyContest, TakesTheBestOfThoseThatWin) {
  for (std::size_t best = 0; best < 3; ++best) {
    const PolicyContest contest = played([&](std::size_t one, std::size_t other) -> Share {
      if (other == kUniform || one == best) return 1;
      return other == best ? 0 : 0.5;
    });
    EXPECT_EQ(contest.winner(), best);
    EXPECT_THAT(contest.explanation(), HasSubstr("first 100 % of 200, second 100 % of 200"));
    EXPECT_THAT(contest.explanation(), HasSubstr(" against "));
  }
}

TEST(PolicyContest, TakesTheOneThatWinsMostIfThereIsNoTimeForMore) {
  const PolicyContest contest = played([](std::size_t one, std::size_t other) -> Share {
    if (other != kUniform) return std::nullopt;
    return one == 1 ? 0.99 : 0.98;
  });
  EXPECT_EQ(contest.winner(), 1U);
}

TEST(PolicyContest, ALostPairDropsNone) {
  std::uint32_t pairs_of_third = 0;
  const PolicyContest contest = played([&](std::size_t one, std::size_t other) -> Share {
    if (other != kUniform) return one == 2 ? 1 : 0;
    if (one != 2) return 0.75;
    return pairs_of_third++ == 0 ? 0 : 1;
  });
  EXPECT_EQ(contest.winner(), 2U);
}

TEST(PolicyContest, APolicyThatLosesCostsFewMatches) {
  const PolicyContest contest =
      played([](std::size_t one, std::size_t) -> Share { return one == 0 ? 0 : 1; });
  EXPECT_EQ(contest.score(0).pairs, 3U);
  EXPECT_EQ(contest.score(1).pairs, 100U);
  EXPECT_NE(contest.winner(), 0U);
}

TEST(PolicyContest, HasNoWinnerWithoutASureOne) {
  EXPECT_FALSE(played([](std::size_t, std::size_t) { return Share(0.5); }).winner());
  EXPECT_FALSE(played([](std::size_t, std::size_t) { return Share(); }).winner());
}

TEST(PolicyContest, TakesAllTimeIfOnlyOneMayWin) {
  int pairs = 0;
  PolicyContest contest({"only"}, [&](std::size_t, std::size_t) {
    ++pairs;
    return Share(1);
  });
  contest.run(Deadline::in(0), Deadline());
  EXPECT_EQ(contest.winner(), 0U);
  EXPECT_EQ(pairs, 100);
}

}  // namespace
}  // namespace ludens::search::mcts::test
