// SPDX-License-Identifier: MIT
// `ludens explain`: one information set of an equilibrium, and the proof of one position.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <fstream>

#include "server/cli/exit_code.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

json::object explained(std::vector<std::string> words) {
  words.insert(words.begin(), "explain");
  words.emplace_back("--json");
  const CommandRun run = run_command(words);
  EXPECT_EQ(run.code, kGood) << run.err;
  return json::parse(run.out).as_object();
}

double probability(const json::object& set, std::string_view move) {
  for (const auto& share : set.at("moves").as_array()) {
    if (share.at("move").as_string() == move) return share.at("probability").to_number<double>();
  }
  ADD_FAILURE() << move;
  return -1;
}

/// Second calls with the queen one time in three, and bluffs with the jack as often.
TEST(Explain, TellsAnInformationSetOfKuhnPoker) {
  const auto call =
      explained({"kuhn_poker", "--at", "( noop noop ( deal king queen ) ); ( bet noop noop )"});
  EXPECT_EQ(call.at("role").as_string(), "second");
  EXPECT_EQ(call.at("knows").as_string(), "( card queen ); bet");
  EXPECT_EQ(call.at("histories").to_number<int>(), 2);
  EXPECT_NEAR(probability(call, "bet"), 1.0 / 3, 1e-3);
  const auto bluff =
      explained({"kuhn_poker", "--at", "( noop noop ( deal queen jack ) )\n( pass noop noop )"});
  EXPECT_NEAR(probability(bluff, "bet"), 1.0 / 3, 1e-3);
  const CommandRun run = run_command(
      {"explain", "kuhn_poker", "--role", "first", "--at", "( noop noop ( deal jack queen ) )"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("first knows: ( card jack )\n2 histories fit"));
}

TEST(Explain, TakesMovesOfAFile) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "moves").string();
  std::ofstream(file) << "( ( hide desk ) noop )\n";
  const auto spy = explained({"spy_and_guard", "--at", file});
  EXPECT_EQ(spy.at("role").as_string(), "spy");
  EXPECT_EQ(spy.at("knows").as_string(), "at first");
  EXPECT_NEAR(probability(spy, "bribe"), 0.6, 1e-3);
  EXPECT_NEAR(probability(spy, "( open vault )"), 0.4, 1e-3);
  EXPECT_NEAR(spy.at("reached").to_number<double>(), 1, 1e-9);
}

TEST(Explain, TellsWhatSettlesAPositionThatAllSee) {
  const auto proof = explained({"tic_tac_toe", "--at",
                                "( ( mark 1 1 ) noop ); ( noop ( mark 2 2 ) ); "
                                "( ( mark 1 2 ) noop )"});
  EXPECT_EQ(proof.at("move").as_string(), "( mark 1 3 )");
  EXPECT_TRUE(proof.at("exact").as_bool());
  EXPECT_EQ(proof.at("moves").as_array().size(), 6U);
  const auto& answers = proof.at("answers").as_array();
  ASSERT_EQ(answers.size(), 5U);
  // Behind ( mark 1 3 ) the other must take ( mark 3 1 ), else o wins there.
  EXPECT_EQ(answers[0].at("then").as_string(), "( mark 3 1 )");
}

/// The other role has sixty moves beside the one that ends the game.
TEST(Explain, SaysWhetherItListsAllAnswers) {
  const ScratchFolder folder;
  const auto game_of = [&](int replies) {
    std::string rules =
        "(role a) (role b) (init begun) (legal a x) (legal a y) (<= (legal b (pick ?n)) (n ?n))"
        "(<= (next (over ?m)) (does a ?m)) (<= terminal (true (over ?m)))"
        "(<= (goal a 100) (true (over x))) (<= (goal a 0) (not (true (over x)))) (goal b 50)";
    for (int n = 0; n < replies; ++n) rules += "(n " + std::to_string(n) + ")";
    const std::string file = (folder.path() / "replies.kif").string();
    std::ofstream(file) << rules;
    return file;
  };
  std::ofstream(folder.path() / "none") << "";
  const std::string none = (folder.path() / "none").string();
  for (const int replies : {40, 41, 60}) {
    const auto proof = explained({game_of(replies), "--at", none});
    EXPECT_EQ(proof.at("move").as_string(), "x");
    EXPECT_EQ(proof.at("answers").as_array().size(), 40U) << replies;
    EXPECT_EQ(proof.at("all_answers").as_bool(), replies == 40) << replies;
    const CommandRun run = run_command({"explain", game_of(replies), "--at", none});
    EXPECT_EQ(run.out.ends_with("  ...\n"), replies > 40) << run.out;
  }
}

TEST(Explain, SaysWhatIsWrong) {
  const CommandRun illegal = run_command({"explain", "kuhn_poker", "--at", "( bet noop noop )"});
  EXPECT_EQ(illegal.code, kNotGood);
  EXPECT_THAT(illegal.err, HasSubstr("bet is not legal for first"));
  const CommandRun none = run_command({"explain", "kuhn_poker"});
  EXPECT_EQ(none.code, kNotGood);
  EXPECT_THAT(none.err, HasSubstr("first has no choice in this position"));
}

}  // namespace
}  // namespace ludens::server
