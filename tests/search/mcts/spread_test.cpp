// SPDX-License-Identifier: MIT
#include "search/mcts/spread.h"

#include <gtest/gtest.h>

namespace ludens::search::mcts {
namespace {

/// `times` descents of which every second brings role 0 `more` and role 1 `less`, and the other way
/// round.
void see(Spread& spread, int times, double more, double less) {
  for (int i = 0; i < times; ++i) {
    const double values[] = {i % 2 == 0 ? more : less, i % 2 == 0 ? less : more};
    spread.see(values);
  }
}

std::vector<float> shares_of(const Spread& spread) {
  std::vector<float> shares;
  spread.measure(0.5, shares);
  return shares;
}

TEST(MctsSpread, AFairCoinIsOne) {
  Spread spread;
  see(spread, 100, 1, 0);
  ASSERT_EQ(shares_of(spread).size(), 2U);
  EXPECT_FLOAT_EQ(shares_of(spread)[0], 1);
  EXPECT_FLOAT_EQ(shares_of(spread)[1], 1);
}

TEST(MctsSpread, EachRoleHasItsOwn) {
  Spread spread;
  for (int i = 0; i < 100; ++i) {
    const double values[] = {i % 2 == 0 ? 0.6 : 0.4, i % 2 == 0 ? 0.75 : 0.25};
    spread.see(values);
  }
  EXPECT_NEAR(shares_of(spread)[0], 0.2, 1e-6);
  EXPECT_NEAR(shares_of(spread)[1], 0.5, 1e-6);
}

TEST(MctsSpread, LittleSeenSaysNothingAndEqualValuesLeaveSomeExploration) {
  Spread spread;
  see(spread, 10, 0.5, 0.5);
  EXPECT_TRUE(shares_of(spread).empty());
  see(spread, 100, 0.5, 0.5);
  EXPECT_GT(shares_of(spread)[0], 0);
}

TEST(MctsSpread, TakesWhatIsFreshAndForgetsWhatIsOld) {
  Spread all, fresh;
  see(fresh, 1000, 1, 0);
  all.take(fresh);
  EXPECT_FLOAT_EQ(shares_of(all)[0], 1);
  EXPECT_TRUE(shares_of(fresh).empty());
  for (int pass = 0; pass < 2000; ++pass) {
    see(fresh, 100, 0.6, 0.4);
    all.take(fresh);
  }
  EXPECT_NEAR(shares_of(all)[0], 0.2, 0.01);
}

}  // namespace
}  // namespace ludens::search::mcts
