// SPDX-License-Identifier: MIT
// The commands `analyze` and `strategies`.
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <sstream>

#include "search/registry/registry.h"
#include "server/cli/commands.h"
#include "server/cli/exit_code.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

/// What a command writes to standard output.
template <typename Command>
std::string output_of(Command&& command, int expected = kGood) {
  testing::internal::CaptureStdout();
  const int code = command();
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, expected);
  return text;
}

AnalyzeOptions options_for(const std::string& game) {
  AnalyzeOptions options;
  options.game = project_folder() + "/config/games/" + game + ".kif";
  options.seconds = 20;  // far more than the visit of all states needs
  options.json = true;
  return options;
}

boost::json::object analysis_of(AnalyzeOptions options) {
  return boost::json::parse(output_of([&] { return analyze_command(options); })).as_object();
}

bool is_proved(const boost::json::object& analysis, std::string_view key) {
  const auto& proved = analysis.at("proved").as_array();
  return std::ranges::any_of(proved, [&](const auto& p) { return p.as_string() == key; });
}

TEST(AnalyzeCommand, TellsWhatAGameIsAndHowItIsKnown) {
  AnalyzeOptions options = options_for("rock_paper_scissors");
  options.playouts = 20;
  const auto game = analysis_of(options);
  EXPECT_EQ(game.at("game").as_string(), "rock_paper_scissors");
  EXPECT_EQ(game.at("roles").as_array().size(), 2U);
  EXPECT_TRUE(game.at("simultaneous").as_bool());
  EXPECT_FALSE(game.at("turn_taking").as_bool());
  EXPECT_TRUE(game.at("zero_sum").as_bool());
  EXPECT_FALSE(game.at("single_player").as_bool());
  EXPECT_TRUE(is_proved(game, "simultaneous"));
  EXPECT_EQ(game.at("playouts").as_int64(), 20);
  EXPECT_EQ(game.at("states").as_int64(), 36);
  EXPECT_EQ(game.at("strategy").as_string(), "nash");
  EXPECT_FALSE(game.at("why").as_string().empty());
}

TEST(AnalyzeCommand, SaysHowLargeBeliefsGet) {
  AnalyzeOptions options = options_for("kuhn_poker");
  options.playouts = 50;
  const auto game = analysis_of(options);
  const auto& hidden = game.at("hidden").as_object();
  EXPECT_EQ(hidden.at("playouts"), 50);
  EXPECT_EQ(hidden.at("histories"), 55);
  EXPECT_EQ(hidden.at("information_sets"), 12);
  EXPECT_EQ(hidden.at("largest_set"), 2);
  ASSERT_EQ(hidden.at("roles").as_array().size(), 2U) << "not random";
  for (const auto& role : hidden.at("roles").as_array()) {
    const auto& steps = role.at("steps").as_array();
    EXPECT_EQ(steps.at(0).at("largest"), 1);
    // A player who knows one card knows that the other has one of two.
    EXPECT_EQ(steps.at(1).at("met"), 50);
    EXPECT_EQ(steps.at(1).at("largest"), 2);
    EXPECT_EQ(steps.at(1).at("beyond"), 0);
  }
  EXPECT_EQ(game.at("strategy").as_string(), "cfr");
  options.json = false;
  const std::string text = output_of([&] { return analyze_command(options); });
  EXPECT_NE(text.find("55 histories, 12 information sets; the largest has 2 histories"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("in 50 random playouts"), std::string::npos) << text;
  options = options_for("rock_paper_scissors");
  options.playouts = 5;
  EXPECT_TRUE(analysis_of(options).at("hidden").is_null());
}

TEST(AnalyzeCommand, SaysWhatAutoChoosesInTheStartClock) {
  AnalyzeOptions options = options_for("breakthrough_small");
  options.playouts = 20;
  options.states = 100;
  EXPECT_TRUE(analysis_of(options).at("start_clock").is_null());
  options.start_clock = 3;
  const std::string text(analysis_of(options).at("start_clock").as_string());
  EXPECT_NE(text.find("two players"), std::string::npos) << text;
}

TEST(AnalyzeCommand, WithoutTheVisitFactsAreSampled) {
  AnalyzeOptions options = options_for("tic_tac_toe");
  options.playouts = 10;
  options.states = 0;
  const auto game = analysis_of(options);
  EXPECT_TRUE(game.at("turn_taking").as_bool());
  EXPECT_FALSE(is_proved(game, "turn_taking"));
  EXPECT_TRUE(game.at("states").is_null());
  EXPECT_EQ(game.at("strategy").as_string(), "alphabeta");
}

TEST(AnalyzeCommand, TheTextNamesRolesAndStrategy) {
  AnalyzeOptions options = options_for("tic_tac_toe");
  options.playouts = 10;
  options.states = 0;
  options.json = false;
  const std::string text = output_of([&] { return analyze_command(options); });
  EXPECT_NE(text.find("roles move in turn (as sampled)"), std::string::npos) << text;
  EXPECT_NE(text.find("alphabeta"), std::string::npos);
}

TEST(AnalyzeCommand, PassesCanBeSkipped) {
  AnalyzeOptions options = options_for("tic_tac_toe");
  options.playouts = 1;
  options.states = 0;
  options.skip = {"share", "control"};
  const auto game = analysis_of(options);
  std::vector<std::string> passes;
  for (const auto& stage : game.at("network").at("stages").as_array()) {
    passes.emplace_back(stage.at("pass").as_string());
  }
  EXPECT_EQ(passes, (std::vector<std::string>{"ground", "build", "dead-fluents", "constants",
                                              "(exclusion proof)", "exclusion", "one-hot"}));
}

TEST(AnalyzeCommand, APassThatThereIsNotIsSaid) {
  AnalyzeOptions options = options_for("tic_tac_toe");
  options.skip = {"shear"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(analyze_command(options), kWrongUse);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("'shear'"), std::string::npos);
}

TEST(AnalyzeCommand, AMissingGameIsSaid) {
  AnalyzeOptions options;
  options.game = "no_such_game";
  testing::internal::CaptureStderr();
  EXPECT_EQ(analyze_command(options), kCouldNot);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no_such_game"), std::string::npos);
}

TEST(StrategiesCommand, ListsTheRegistryOneObjectALine) {
  std::istringstream lines(output_of([] { return strategies_command({.json = true}); }));
  std::string line;
  for (const search::StrategyInfo& strategy : search::strategies()) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto object = boost::json::parse(line).as_object();
    EXPECT_EQ(object.at("strategy").as_string(), strategy.name);
    EXPECT_EQ(object.at("options").as_array().size(), search::options_of(strategy).size());
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(StrategiesCommand, TheTableNamesEveryOption) {
  const std::string text = output_of([] { return strategies_command({}); });
  EXPECT_NE(text.find("transpositions=on"), std::string::npos);
  EXPECT_NE(text.find("ties=random"), std::string::npos);
}

}  // namespace
}  // namespace ludens::server
