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

/// What is said of a comparison of equals in a start clock in which one looks at values first.
std::string compared(const std::string& game) {
  const Position position = initial_position(bundled(game, "sliced"));
  const auto options = Options::read("auto", kAutoOptions, {{"learn", "10"}, {"race", "40"}});
  gdl::Rng rng(1);
  Comparison comparison(*options, {}, make_equals, false, rng);
  AutoPlan plan;
  plan.usual_length = 20;
  comparison.compare(position, plan, Seconds(20), Deadline::in(20));
  EXPECT_TRUE(comparison.compared());
  return comparison.take_explanation();
}

TEST(Comparison, LearnsNoMoreWhereValuesDoNotWinAndAllRolesReachTheSame) {
  const std::string said = compared("tic_tac_toe");
  EXPECT_THAT(said, HasSubstr("all roles reach the same places"));
  const auto first = said.find("values of");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("values of", first + 1), std::string::npos) << said;
}

TEST(Comparison, LearnsFromWhatRolesReachWhereValuesDoNotSurelyWin) {
  const std::string said = compared("amazons_small");
  EXPECT_THAT(said, HasSubstr("that see 2 moves far"));
  EXPECT_THAT(said, Not(HasSubstr("all roles reach the same places")));
}

}  // namespace
}  // namespace ludens::search::test
