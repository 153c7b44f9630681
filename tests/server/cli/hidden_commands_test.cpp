// SPDX-License-Identifier: MIT
// Commands on games with hidden information.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "server/cli/exit_code.h"
#include "server/cli/hidden_report.h"
#include "server/records/record_files.h"
#include "tests/project_folder.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/cli/schema.h"
#include "tests/server/match/hidden_games.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class HiddenCommands : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }
  const fs::path& out() const { return folder_.path(); }
  const ScratchFolder folder_;
  /// First was dealt the king, and has passed.
  const std::string moves_ =
      write("moves", "( noop noop ( deal king jack ) )\n( pass noop noop )\n");
};

TEST_F(HiddenCommands, MatchesArePlayedKeptAndReplayed) {
  for (const char* game : {"kuhn_poker", "leduc_poker", "liars_dice"}) {
    const CommandRun match = run_command({"match", game, "--player", "mcts:playouts=30", "--player",
                                          "random", "--seed", "3", "--json", "--out", out()});
    ASSERT_EQ(match.code, kGood) << match.err;
    const auto result = boost::json::parse(match.out).as_object();
    EXPECT_TRUE(result.at("completed").as_bool()) << game;
    EXPECT_TRUE(result.at("errors").as_array().empty()) << match.out;
    const std::string file(result.at("record").as_string());
    EXPECT_EQ(run_command({"replay", file}).code, kGood) << game;
    EXPECT_EQ(run_command({"replay", fs::path(file).replace_extension(".xml")}).code, kGood);
    const auto records = read_records(file);
    ASSERT_TRUE(records);
    EXPECT_EQ(records->front().record->percepts.size(), records->front().record->moves.size());
  }
}

TEST_F(HiddenCommands, AMatchIsPrintedWithPercepts) {
  const CommandRun match = run_command({"match", "kuhn_poker", "--player", "random", "--player",
                                        "random", "--seed", "3", "--out", out()});
  EXPECT_EQ(match.code, kGood);
  EXPECT_THAT(match.err, HasSubstr("perceives ( card "));
}

TEST_F(HiddenCommands, TheDialectOf2011IsOne) {
  const CommandRun match =
      run_command({"match", "kuhn_poker", "--player", "random", "--player", "random", "--dialect",
                   "dresden-2011", "--json", "--out", out()});
  EXPECT_EQ(match.code, kGood) << match.err;
  const std::string file(boost::json::parse(match.out).at("record").as_string());
  EXPECT_EQ(read_records(file)->front().record->dialect, "dresden-2011");
  EXPECT_EQ(run_command({"match", "kuhn_poker", "--dialect", "dresden-2012"}).code, kWrongUse);
}

TEST_F(HiddenCommands, TwoPeopleAtOnePageWouldSeeEachOther) {
  const CommandRun match = run_command({"match", "kuhn_poker", "--player", "human", "--player",
                                        "human", "--watch", "0", "--out", out()});
  EXPECT_EQ(match.code, kWrongUse);
  EXPECT_TRUE(one_line(match.err)) << match.err;
  EXPECT_THAT(match.err, HasSubstr("would see what the rules hide from each other"));
  const CommandRun play = run_command(
      {"play", "kuhn_poker", "--against", "human", "--no-browser", "--port", "0", "--out", out()});
  EXPECT_EQ(play.code, kWrongUse);
}

TEST_F(HiddenCommands, ShowTellsWhatARoleKnows) {
  const CommandRun run = run_command({"show", "kuhn_poker", "--moves", moves_, "--role", "SECOND"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_EQ(run.out.substr(0, run.out.find("   50.0")),
            "second knows:\n  1. noop   perceives ( card jack )\n  2. noop   perceives pass\n"
            "2 histories fit: 2 states\n");
  EXPECT_THAT(run.out, HasSubstr("second may (2): pass bet"));
  EXPECT_THAT(run.out, HasSubstr("holds first king"));
  EXPECT_THAT(run.out, HasSubstr("holds first queen"));
  EXPECT_THAT(run.out, Not(HasSubstr("holds second king")));
}

TEST_F(HiddenCommands, ShowTellsWhatARoleKnowsAsAnObject) {
  const CommandRun run =
      run_command({"show", "kuhn_poker", "--moves", moves_, "--role", "first", "--json"});
  EXPECT_EQ(run.code, kGood) << run.err;
  const auto known = boost::json::parse(run.out).at("known");
  EXPECT_EQ(known, boost::json::parse(R"j({"role":"first","turns":[
      {"move":"noop","percepts":["( card king )"]},{"move":"pass","percepts":[]}],
      "histories":2,"states":2,"exact":true})j"));
}

TEST_F(HiddenCommands, ShowCountsStatesThatDifferInWhatIsNotPrinted) {
  std::string rules =
      "(role seer) (role random) (init (phase 1)) (side heads) (side tails)"
      "(legal seer noop) (<= (legal random (flip ?s)) (side ?s))"
      "(<= (next (phase 2)) (true (phase 1))) (<= (sees seer tick) (true (phase 1)))"
      "(<= (next (zz_coin ?s)) (does random (flip ?s)))"
      "(<= terminal (true (phase 3))) (goal seer 50)";
  for (int n = 0; n < 300; ++n) {
    const std::string fluent = "something_that_is_always_true_" + std::to_string(n);
    rules += "(init " + fluent + ") (<= (next " + fluent + ") (true " + fluent + "))";
  }
  const CommandRun run =
      run_command({"show", write("coin.kif", rules), "--moves",
                   write("flip", "( noop ( flip heads ) )\n"), "--role", "seer", "--json"});
  EXPECT_EQ(run.code, kGood) << run.err;
  const auto known = boost::json::parse(run.out).at("known");
  EXPECT_EQ(known.at("histories").to_number<int>(), 2);
  EXPECT_EQ(known.at("states").to_number<int>(), 2);
}

/// One history fits of more than are tried.
TEST_F(HiddenCommands, ShowDoesNotTakeWhatWasNotTriedForWhatFits) {
  const std::string game = write("numbers.kif", search::hidden::tests::two_numbers(520));
  const CommandRun run = run_command({"show", game, "--playout", "--role", "seer"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("at least 1 history fits: 1 state\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("more histories")));
}

TEST_F(HiddenCommands, AReportSaysWhereMoreMayFitThanWereCounted) {
  HiddenReport report;
  report.roles = {"seer", "random"};
  report.sizes.playouts = 2;
  report.sizes.most = 4096;
  report.sizes.steps = {{{.met = 2, .mean = 1, .largest = 1},
                         {.met = 2, .mean = 9, .largest = 9},
                         {.met = 2, .at_least = 1, .mean = 9, .largest = 9},
                         {.met = 2, .at_least = 2, .mean = 4.5, .largest = 8}},
                        {}};
  const auto text_of = [&] {
    testing::internal::CaptureStdout();
    print_text(report);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(text_of(), HasSubstr("    seer\n         1  9\n         2  at least 9\n"
                                   "         3  at least 4.5 on average\n"));
  EXPECT_THAT(text_of(), Not(HasSubstr("more than")));
  report.sizes.steps[0].push_back({.met = 2, .beyond = 2, .mean = 4096, .largest = 4096});
  EXPECT_THAT(text_of(), HasSubstr("(where there are more than 4096, they are not counted again"));
  EXPECT_THAT(text_of(), HasSubstr("         4  more than 4096\n"));
}

TEST_F(HiddenCommands, ShowKnowsTheEndOfAPlayout) {
  const CommandRun run = run_command({"show", "kuhn_poker", "--playout", "--role", "second"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("the initial state\n1 history fits: 1 state\n"));
  EXPECT_THAT(run.out, HasSubstr("second has "));
  EXPECT_THAT(run.out, HasSubstr("the match is over"));
  EXPECT_THAT(run.out, Not(HasSubstr("was not found")));
}

TEST_F(HiddenCommands, ShowOfARoleNeedsAGameThatHidesSomething) {
  const CommandRun open = run_command({"show", "nim", "--role", "first"});
  EXPECT_EQ(open.code, kWrongUse);
  EXPECT_TRUE(one_line(open.err)) << open.err;
  const CommandRun nobody = run_command({"show", "kuhn_poker", "--role", "secnod"});
  EXPECT_EQ(nobody.code, kWrongUse);
  EXPECT_THAT(nobody.err, HasSubstr("did you mean 'second'?"));
}

TEST_F(HiddenCommands, ThinkKnowsWhatTheRoleWouldHavePerceived) {
  const CommandRun run = run_command({"think", "kuhn_poker", "--moves", moves_, "--role", "second",
                                      "--strategy", "mcts:playouts=50", "--json"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_EQ(boost::json::parse(run.out).at("role").as_string(), "second");
}

TEST_F(HiddenCommands, ThinkProvesNothingByAHistoryThatIsGuessed) {
  const std::string moves = write("doors", "( ( choose 3 ) ( hide 2 ) )\n( noop ( open 1 ) )\n");
  const CommandRun run =
      run_command({"think", "monty_hall", "--moves", moves, "--strategy", "alphabeta", "--json"});
  EXPECT_EQ(run.code, kGood) << run.err;
  const auto choice = boost::json::parse(run.out).as_object();
  EXPECT_FALSE(choice.at("exact").as_bool());
  ASSERT_EQ(choice.at("root").as_array().size(), 2U);
  for (const auto& move : choice.at("root").as_array()) {
    EXPECT_EQ(move.at("low").to_number<double>(), 0);
    EXPECT_EQ(move.at("high").to_number<double>(), 100);
  }
}

/// Flawed rules: what is legal depends on where chance has hidden something.
TEST_F(HiddenCommands, ThinkChoosesALegalMoveWhereTheRoleCantKnowThem) {
  const std::string game = write(
      "blind.kif",
      "(role seeker) (role random) (init (step 0)) (place left) (place right)"
      "(<= (legal random (hide ?p)) (place ?p) (true (step 0)))"
      "(<= (legal seeker noop) (true (step 0))) (<= (legal random noop) (true (step 1)))"
      "(<= (legal seeker (open ?p)) (true (step 1)) (true (at ?p)))"
      "(<= (next (at ?p)) (does random (hide ?p)))"
      "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))"
      "(<= (sees seeker began) (true (step 0))) (<= terminal (true (step 2))) (goal seeker 50)"
      "(goal random 0)");
  for (const std::string place : {"left", "right"}) {
    const std::string moves = write("at_" + place, "( noop ( hide " + place + " ) )\n");
    const CommandRun run = run_command(
        {"think", game, "--moves", moves, "--role", "seeker", "--strategy", "legal", "--json"});
    EXPECT_EQ(run.code, kGood) << run.err;
    EXPECT_EQ(boost::json::parse(run.out).at("move").as_string(), "( open " + place + " )");
  }
}

TEST_F(HiddenCommands, ThinkDoesNotKnowWhatIsHidden) {
  const std::string game = write(
      "places.kif",
      "(role seeker) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (place p) (place q)"
      "(<= (legal random (hide ?p)) (place ?p) (true (step 0)))"
      "(<= (legal random noop) (true (step 1)))"
      "(<= (legal seeker noop) (true (step 0)))"
      "(<= (legal seeker (open ?p)) (place ?p) (true (step 1)))"
      "(<= (next (at ?p)) (does random (hide ?p)))"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
      "(<= (sees seeker began) (true (step 0)))"
      "(<= (next won) (does seeker (open ?p)) (true (at ?p))) (<= terminal (true (step 2)))"
      "(<= (goal seeker 100) (true won)) (<= (goal seeker 0) (not (true won))) (goal random 0)");
  const auto answer = [&](const std::string& place) {
    const CommandRun run = run_command({"think", game, "--moves",
                                        write("at_" + place, "( noop ( hide " + place + " ) )\n"),
                                        "--strategy", "alphabeta:depth=1,ties=first", "--json"});
    EXPECT_EQ(run.code, kGood) << run.err;
    auto found = boost::json::parse(run.out).as_object();
    found.erase("seconds");
    return found;
  };
  EXPECT_EQ(answer("p"), answer("q"));
}

/// Flips of a coin that are shown but for the last one: no search finds those that fit.
TEST_F(HiddenCommands, ThinkSearchesNothingThatTheRoleDoesNotKnow) {
  constexpr int kFlips = 40;
  std::string rules =
      "(role player) (role random) (side heads) (side tails) (init (step 0)) (goal random 0)"
      "(<= done (true (step 40))) (<= (legal random (flip ?s)) (side ?s) (not done))"
      "(<= (legal random noop) done) (<= (legal player noop) (not done))"
      "(<= (legal player (guess ?s)) (side ?s) done)"
      "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"
      "(<= (next (coin ?i ?s)) (true (step ?i)) (does random (flip ?s)))"
      "(<= (next (coin ?i ?s)) (true (coin ?i ?s)))"
      "(<= (sees player (coin ?i ?s)) (true (step 39)) (true (coin ?i ?s)))"
      "(<= (next over) done) (<= terminal (true over)) (goal player 50)";
  std::string moves;
  for (int i = 0; i < kFlips; ++i) {
    rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    moves += std::string("( noop ( flip ") + (i % 3 == 0 ? "heads" : "tails") + " ) )\n";
  }
  const CommandRun run =
      run_command({"think", write("flips.kif", rules), "--moves", write("flips", moves),
                   "--strategy", "alphabeta:depth=1,machine=interpreter", "--seconds", "0.1"});
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_TRUE(one_line(run.err)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("nothing that fits what player knows was found"));
}

TEST_F(HiddenCommands, TournamentsHaveThem) {
  const std::string file =
      write("t.xml",
            "<tournament><rounds>2</rounds><player>random</player>"
            "<player name=\"m\">mcts:playouts=10</player><game>kuhn_poker</game></tournament>");
  const CommandRun run = run_command({"tournament", file, "--out", (out() / "t").string()});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("complete blocks"));
}

}  // namespace
}  // namespace ludens::server
