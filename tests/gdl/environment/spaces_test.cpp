// SPDX-License-Identifier: MIT
// The numbers of fluents and actions, and their names.
#include "gdl/environment/spaces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gdl/registry/machines.h"
#include "tests/gdl/environment/environment_games.h"
#include "tests/gdl/machine/bundled_game.h"

namespace ludens::gdl {
namespace {

TEST(Spaces, NumberNamesInNaturalOrder) {
  const auto game = environment_game(std::make_shared<Vocabulary>(read_rules(R"(
    (role Ann) (role random) (init (on 2)) (init (on 10)) (<= (next (on ?n)) (does Ann (Take ?n)))
    (<= (legal Ann (Take ?n)) (true (on ?n))) (legal Ann wait) (legal random roll)
    (<= terminal (true (on 2)) (not (true (on 10)))) (goal Ann 100) (goal random 0)
    (legal Ann (Take 1))
    )")
                                                                      .normalised.rules));
  const Spaces& spaces = game->spaces();
  EXPECT_EQ(std::vector<std::string>{"Ann"}, spaces.player_names);
  EXPECT_EQ((std::vector<std::string>{"( Take 1 )", "( Take 2 )", "( Take 10 )", "wait"}),
            spaces.action_names[0]);
  EXPECT_EQ((std::vector<std::string>{"( on 2 )", "( on 10 )"}), spaces.fluent_names);
  EXPECT_EQ(spaces.find_action(0, "( TAKE 10 )"), std::optional<std::uint32_t>(2));
  EXPECT_EQ(spaces.find_action(0, "( take 3 )"), std::nullopt);
}

TEST(Spaces, PutNumbersBeforeWordsThatBeginWithADigit) {
  std::string text =
      "(role a) (init s) (<= (legal a ?n) (num ?n)) (<= (next (was ?n)) (does a ?n))"
      "(<= terminal (true (was 1))) (goal a 0) (num last) (num (of 9))";
  std::vector<std::string> numbers, words;
  for (int n = 1; n <= 30; ++n) {
    numbers.push_back(std::to_string(n));
    words.push_back(numbers.back() + "a");
    text += "(num " + numbers.back() + ") (num " + words.back() + ")";
  }
  std::vector<std::string> expected{"( of 9 )"};
  expected.insert(expected.end(), numbers.begin(), numbers.end());
  std::ranges::sort(words);
  expected.insert(expected.end(), words.begin(), words.end());
  expected.emplace_back("last");
  const auto game =
      environment_game(std::make_shared<Vocabulary>(read_rules(text).normalised.rules));
  EXPECT_EQ(game->spaces().action_names[0], expected);
}

TEST(Spaces, AreTheSameForEveryMachineAndTellGamesApart) {
  const auto hash = [](const char* name, const char* machine) {
    auto made = make_machine(machine, tests::bundled_game(name));
    return EnvironmentGame::make(made.value()).value()->spaces().hash();
  };
  EXPECT_EQ(hash("tic_tac_toe", "interpreter"), hash("tic_tac_toe", "sliced"));
  EXPECT_NE(hash("tic_tac_toe", "sliced"), hash("connect_four", "sliced"));
}

}  // namespace
}  // namespace ludens::gdl
