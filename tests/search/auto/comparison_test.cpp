// SPDX-License-Identifier: MIT
#include "search/auto/comparison.h"

#include <gmock/gmock.h>

#include "search/auto/auto.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// All play alike.
std::unique_ptr<Strategy> make_equals(std::string_view, const OptionTexts&,
                                      const Resources& resources) {
  return make_known_strategy("legal", {}, resources);
}

/// Whether there was time for a race after the first learning.
bool looked(const std::string& said) {
  const auto learned = said.find("values of");
  return learned != std::string::npos && said.find("% of") < said.find("values of", learned + 1);
}

/// What is said of a comparison of equals in a start clock in which one looks at values first.
std::string compared(const std::string& game) {
  const Position position = initial_position(bundled(game, "sliced"));
  const auto options = Options::read("auto", kAutoOptions, {{"learn", "10"}, {"race", "40"}});
  AutoPlan plan;
  plan.usual_length = 20;
  std::string said;
  for (Seconds time{20}; !looked(said) && time < Seconds(500); time *= 2) {
    gdl::Rng rng(1);
    Comparison comparison(*options, {}, make_equals, false, rng);
    comparison.compare(position, plan, time, Deadline::in(time.count()));
    EXPECT_TRUE(comparison.compared());
    said = comparison.take_explanation();
  }
  return said;
}

TEST(Comparison, LearnsNoMoreWhereValuesDoNotWinAndAllRolesReachTheSame) {
  const std::string said = compared("tic_tac_toe");
  EXPECT_THAT(said, HasSubstr("all roles reach the same places"));
  const auto first = said.find("values of");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("values of", first + 1), std::string::npos) << said;
}

TEST(Comparison, LearnsFromWhatRolesReachWhereValuesDoNotSurelyWin) {
  const std::string said = compared("breakthrough_small");
  EXPECT_THAT(said, HasSubstr("that see 2 moves far"));
  EXPECT_THAT(said, Not(HasSubstr("all roles reach the same places")));
}

}  // namespace
}  // namespace ludens::search::test
