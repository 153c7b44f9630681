// SPDX-License-Identifier: MIT
// Goals beyond 0 to 100, and what searches see of them.
#include "gdl/rules/goal_scale.h"

#include <string>
#include <utility>
#include <vector>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

GoalScale scale_of(const std::string& rules) {
  return normalise_text(rules).rules->goals;
}

std::vector<int> seen(const GoalScale& scale, const std::vector<int>& goals) {
  std::vector<int> out;
  for (const int goal : goals) out.push_back(scale.seen(goal));
  return out;
}

TEST(GoalScale, OfHundredPointsIsPlain) {
  for (const char* rules :
       {"(goal a 0) (goal b 100)", "(<= (goal a ?x) (p ?x)) (p 5) (p x) (q 500)", "(goal a x)",
        "(role a)", "(<= (goal a ?x) (does a ?x))"}) {
    EXPECT_TRUE(scale_of(rules).is_plain()) << rules;
  }
  const GoalScale plain;
  EXPECT_EQ(seen(plain, {-5, 0, 37, 100, 101}), (std::vector{0, 0, 37, 100, 100}));
  EXPECT_EQ(plain.shown(37.5), 37.5);
}

TEST(GoalScale, KeepsOrderAndProportion) {
  const GoalScale scale({-100, 0, 300});
  EXPECT_EQ(seen(scale, {-100, 0, 300}), (std::vector{0, 25, 100}));
  EXPECT_EQ(seen(scale, {-200, -99, 299, 1'000}), (std::vector{0, 0, 100, 100})) << "the nearest";
  EXPECT_EQ(scale.shown(0), -100);
  EXPECT_EQ(scale.shown(25), 0);
  EXPECT_EQ(scale.shown(100), 300);
  EXPECT_EQ(scale.shown(62.5), 150) << "between two, in proportion";
}

TEST(GoalScale, KeepsUpToAHundredAndOneApart) {
  std::vector<int> goals;
  for (int i = 0; i < 100; ++i) goals.push_back(i);
  goals.push_back(1'000'000);
  for (const bool mirrored : {false, true}) {
    std::vector<int> values;
    for (const int goal : goals) {
      mirrored ? (void)values.insert(values.begin(), -goal) : values.push_back(goal);
    }
    const GoalScale scale(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(scale.seen(values[i]), static_cast<int>(i));
      EXPECT_EQ(scale.shown(static_cast<double>(i)), values[i]);
    }
  }
}

TEST(GoalScale, OfMoreGoalsMergesNeighbours) {
  std::vector<int> goals;
  for (int i = 0; i <= 1'000; ++i) goals.push_back(i);
  const GoalScale scale(goals);
  EXPECT_EQ(seen(scale, {0, 4, 6, 500, 1'000}), (std::vector{0, 0, 1, 50, 100}));
  for (const int goal : goals) EXPECT_NEAR(scale.shown(scale.seen(goal)), goal, 10);
}

TEST(GoalScale, IsFoundInWhatTheGoalsAreMadeOf) {
  const auto range = [](const std::string& rules) {
    const GoalScale scale = scale_of(rules);
    return std::pair(scale.least(), scale.greatest());
  };
  EXPECT_EQ(range("(goal a -1) (goal b 1)"), std::pair(-1, 1));
  EXPECT_EQ(range("(goal a 50) (goal b 150)"), std::pair(0, 150)) << "a role without one has 0";
  EXPECT_EQ(range("(<= (goal a ?x) (points ?x)) (points 120) (points many)"), std::pair(0, 120));
  const std::string counter =
      "(<= (goal a ?n) (true (score a ?n))) (init (score a 0))"
      "(<= (next (score a ?n)) (true (score a ?o)) (does a up) (up ?o ?n))";
  EXPECT_EQ(range(counter + "(up 0 80) (up 80 160)"), std::pair(0, 160));
  EXPECT_EQ(range(counter + "(up 0 80) (up 80 -9)"), std::pair(-9, 80));
  EXPECT_EQ(range("(<= (goal a ?n) (true (points ?n))) (<= (next (points ?n)) (does a (take ?n x)))"
                  "(<= (legal a (take ?n ?x)) (worth ?n ?x)) (legal a (take -40)) (worth 350 x)"),
            std::pair(0, 350));
  // All conditions must allow it.
  EXPECT_EQ(range("(<= (goal a ?n) (p ?n) (q ?n)) (p 50) (p 500) (q 50) (q 800)"),
            std::pair(0, 100));
  EXPECT_EQ(range("(<= (goal a ?n) (true (other ?n))) (init (other 300 300))"), std::pair(0, 100));
}

/// The table of a sum has numbers that no match gets to.
TEST(GoalScale, MergesNoGoalsForAFewBeyondTheRange) {
  const auto table = [](int least, int greatest) {
    std::string text;
    for (int i = least; i <= greatest; ++i) text += "(points " + std::to_string(i) + ")";
    return text;
  };
  const std::string goal = "(<= (goal a ?n) (points ?n))";
  EXPECT_TRUE(scale_of(goal + table(-11, 111)).is_plain());
  EXPECT_FALSE(scale_of(goal + "(goal b 111)" + table(-11, 111)).is_plain()) << "stated";
  EXPECT_FALSE(scale_of(goal + table(0, 200)).is_plain());
  EXPECT_FALSE(scale_of(goal + table(60, 111)).is_plain()) << "nothing is merged";
}

}  // namespace
}  // namespace ludens::gdl
