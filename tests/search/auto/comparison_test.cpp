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

/// Searches with values choose the first legal move, those without search.
std::unique_ptr<Strategy> make_bad_values(std::string_view name, const OptionTexts& options,
                                          const Resources& resources) {
  const bool values = name == "value" || options.contains("values");
  return make_known_strategy(values ? "legal" : name, values ? OptionTexts{} : options, resources);
}

/// Whether there was time for a race after the first learning.
bool looked(const std::string& said) {
  const auto learned = said.find("values of");
  return learned != std::string::npos && said.find("% of") < said.find("values of", learned + 1);
}

/// What is said of a comparison in a start clock of `shortest` or, if there is no race in it, twice
/// or more times as much, but less than `longest`.
std::string compared(const std::string& game, StrategyFactory make = make_equals,
                     Seconds shortest = Seconds(20), Seconds longest = Seconds(500)) {
  const Position position = initial_position(bundled(game, "sliced"));
  const auto options = Options::read("auto", kAutoOptions, {{"learn", "10"}, {"race", "40"}});
  AutoPlan plan;
  plan.usual_length = 20;
  std::string said;
  for (Seconds time = shortest; !looked(said) && time < longest; time *= 2) {
    gdl::Rng rng(1);
    Comparison comparison(*options, {}, make, false, rng);
    comparison.compare(position, plan, time, Deadline::in(time.count()));
    EXPECT_TRUE(comparison.compared());
    said = comparison.take_explanation();
  }
  return said;
}

std::size_t times_learned(const std::string& said) {
  std::size_t times = 0;
  for (auto at = said.find("values of"); at != std::string::npos; ++times) {
    at = said.find("values of", at + 1);
  }
  return times;
}

TEST(Comparison, LearnsNoMoreWhereValuesDoNotWinAndAllRolesReachTheSame) {
  const std::string said = compared("tic_tac_toe");
  EXPECT_THAT(said, HasSubstr("all roles reach the same places"));
  EXPECT_EQ(times_learned(said), 1) << said;
}

TEST(Comparison, LearnsNoMoreInAShortTimeWhereValuesAreBehind) {
  const std::string said = compared("tic_tac_toe", make_bad_values, Seconds(8), Seconds(20));
  EXPECT_EQ(times_learned(said), 1) << said;
}

TEST(Comparison, LearnsOnInAShortTimeWhereValuesAreNotBehind) {
  const std::string said = compared("tic_tac_toe", make_equals, Seconds(8), Seconds(20));
  EXPECT_EQ(times_learned(said), 2) << said;
}

TEST(Comparison, LearnsFromWhatRolesReachWhereValuesDoNotSurelyWin) {
  const std::string said = compared("breakthrough_small");
  EXPECT_THAT(said, HasSubstr("that see 2 moves far"));
  EXPECT_THAT(said, Not(HasSubstr("all roles reach the same places")));
}

}  // namespace
}  // namespace ludens::search::test
