// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <set>

#include "server/cli/exit_code.h"
#include "tests/project_folder.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

class StudyCommands : public testing::Test {
 protected:
  static StudyOptions tic_tac_toe() {
    StudyOptions options;
    options.game = project_folder() + "/config/games/tic_tac_toe.kif";
    return options;
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }
  /// A position two moves from the end: x has the middle and a corner.
  StudyOptions late() {
    StudyOptions options = tic_tac_toe();
    options.moves_file = file("moves",
                              "( ( mark 2 2 ) noop )\n( noop ( mark 1 2 ) )\n\n"
                              "( ( MARK 1 1 ) noop )\n( noop ( mark 2 1 ) )\n");
    return options;
  }
  template <class Command>
  int run(const Command& command) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = command();
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }
  int think(StudyOptions study, const std::string& strategy, bool trace = false) {
    return run([&] { return think_command({std::move(study), strategy, trace}); });
  }
  int solve(StudyOptions study, const std::string& method, const std::string& policy = "") {
    return run([&] { return solve_command({std::move(study), method, "auto", policy}); });
  }
  [[nodiscard]] boost::json::object json() const { return boost::json::parse(out_).as_object(); }

  ScratchFolder folder_;
  std::string out_, err_;
};

TEST_F(StudyCommands, ThinkShowsEverythingAsJson) {
  StudyOptions study = late();
  study.json = true;
  ASSERT_EQ(think(study, "alphabeta:ties=first"), kGood) << err_;
  const auto object = json();
  EXPECT_EQ(object.at("role"), "x");
  EXPECT_EQ(object.at("move"), "( mark 3 3 )");
  EXPECT_EQ(object.at("value").to_number<double>(), 100);
  EXPECT_EQ(object.at("exact"), true);
  for (const char* key : {"iterations", "nodes", "depth", "seconds"}) {
    EXPECT_GE(object.at(key).to_number<double>(), 0) << key;
  }
  EXPECT_EQ(object.at("root").as_array().size(), 5U);
  const auto& move = object.at("root").as_array().at(0).as_object();
  for (const char* key : {"move", "value", "visits", "low", "high"}) {
    EXPECT_TRUE(move.contains(key)) << key;
  }
  EXPECT_EQ(object.at("pv").as_array().at(0), "( ( mark 3 3 ) noop )");
}

TEST_F(StudyCommands, ThinkSortsMovesByValueWithALineOfPlay) {
  // x has just the corner left that wins; o has answered twice.
  for (const std::string strategy : {"alphabeta:ties=first", "mcts:playouts=2000,seed=3"}) {
    StudyOptions study = late();
    study.json = true;
    ASSERT_EQ(think(study, strategy), kGood) << err_;
    const boost::json::object answer = json();
    double before = 100;
    for (const auto& move : answer.at("root").as_array()) {
      const double value = move.at("value").to_number<double>();
      EXPECT_LE(value, before) << strategy;
      before = value;
    }
    const auto& best = answer.at("root").at(0).as_object();
    EXPECT_EQ(best.at("value").to_number<double>(), 100) << strategy;
    EXPECT_EQ(best.at("pv").as_array().size(), 1U) << strategy;
  }
  StudyOptions study = late();
  study.role = "x";
  study.moves_file = file("moves", "( ( mark 2 2 ) noop )\n( noop ( mark 1 2 ) )\n");
  ASSERT_EQ(think(study, "mcts:playouts=3000,seed=3"), kGood) << err_;
  // The moves of those who can choose, not what the others must do.
  EXPECT_THAT(out_, testing::ContainsRegex(
                        "\\( mark . . \\) +[0-9.]+ +[0-9]+  [0-9.]+  +\\( mark . . \\), \\( mark"));
}

/// All moves are worth the same, and the answer is any of them.
TEST_F(StudyCommands, ThinkShowsItsAnswerFirst) {
  StudyOptions study;
  study.json = true;
  study.game = file("nothing.kif", R"((role r) (init start) (choice a) (choice b) (choice c)
      (<= (legal r ?x) (choice ?x)) (<= (next end) (does r ?x)) (<= terminal (true end))
      (goal r 0))");
  std::set<std::string> answers;
  for (int seed = 1; seed <= 20; ++seed) {
    ASSERT_EQ(think(study, "puzzle:seed=" + std::to_string(seed)), kGood) << err_;
    const boost::json::object answer = json();
    EXPECT_EQ(answer.at("root").at(0).at("move"), answer.at("move"));
    answers.emplace(answer.at("move").as_string());
  }
  EXPECT_GT(answers.size(), 1U);
}

TEST_F(StudyCommands, ThinkPrintsTheSearchedTree) {
  ASSERT_EQ(think(late(), "alphabeta:iterative=off,table=off,order=off,ties=first", true), kGood);
  EXPECT_THAT(out_, HasSubstr("MAX x  α=0 β=100  value 100"));
  EXPECT_THAT(out_, HasSubstr("  ( mark 3 3 ): 100, the end\n"));
  EXPECT_THAT(out_, HasSubstr("  ( mark 3 3 ): X\n"));
  EXPECT_THAT(out_, HasSubstr("x plays ( mark 1 3 ), worth 100 (exact)"));
}

TEST_F(StudyCommands, SolveShowsTheValueOfEveryMoveByEachMethod) {
  for (const char* const method : {"search", "proof", "backward"}) {
    SolveOptions options;
    options.study = late();
    options.method = method;
    options.study.json = true;
    options.all_moves = true;
    ASSERT_EQ(run([&] { return solve_command(options); }), kGood) << err_;
    EXPECT_EQ(json().at("value").to_number<double>(), 100) << method;
    EXPECT_EQ(json().at("method"), method);
    int wins = 0;
    const boost::json::object answer = json();
    for (const auto& one : answer.at("root").as_array()) {
      const auto& move = one.as_object();
      EXPECT_TRUE(move.at("exact").as_bool()) << method;
      EXPECT_EQ(move.at("low"), move.at("high")) << method;
      if (move.at("value").to_number<double>() < 100) continue;
      ++wins;
      if (move.at("move") == "( mark 3 3 )") wins += 100;
    }
    EXPECT_GT(wins, 100) << method;
    options.study.json = false;
    ASSERT_EQ(run([&] { return solve_command(options); }), kGood) << err_;
    EXPECT_THAT(out_, HasSubstr("100..100  ( mark 3 3 )")) << method;
  }
}

TEST_F(StudyCommands, WrongUseIsExplained) {
  EXPECT_EQ(think(tic_tac_toe(), "alphbeta"), kWrongUse);
  EXPECT_THAT(err_, HasSubstr("did you mean 'alphabeta'?"));
  StudyOptions study = tic_tac_toe();
  study.role = "y";
  EXPECT_EQ(think(study, "legal"), kWrongUse);
  EXPECT_THAT(err_, HasSubstr("there is no role 'y'"));
  EXPECT_EQ(solve(tic_tac_toe(), "forward"), kWrongUse);
  study = tic_tac_toe();
  study.game = "no_such_game";
  EXPECT_EQ(think(study, "legal"), kCouldNot);
  study = tic_tac_toe();
  study.moves_file = (folder_.path() / "missing").string();
  EXPECT_EQ(think(study, "legal"), kCouldNot);
}

TEST_F(StudyCommands, MovesOfAFileMustBeLegal) {
  StudyOptions study = tic_tac_toe();
  study.moves_file = file("moves", "( ( mark 1 1 ) noop )\n( noop ( mark 1 1 ) )\n");
  EXPECT_EQ(think(study, "legal"), kNotGood);
  EXPECT_THAT(err_, HasSubstr("moves:2: ( mark 1 1 ) is not legal for o"));
  study.moves_file = file("moves", "( ( mark 1 1 ) )\n");
  EXPECT_EQ(think(study, "legal"), kNotGood);
  EXPECT_THAT(err_, HasSubstr("moves:1: a joint move is one move a role"));
}

TEST_F(StudyCommands, BothMethodsSolveTheSame) {
  for (const std::string method : {"search", "backward"}) {
    for (const std::string role : {"x", "o"}) {
      StudyOptions study = late();
      study.role = role;
      study.json = true;
      ASSERT_EQ(solve(study, method), kGood) << err_;
      EXPECT_EQ(json().at("role").as_string(), role);
      EXPECT_EQ(json().at("value").to_number<double>(), role == "x" ? 100 : 0);
      EXPECT_EQ(json().at("exact"), true);
      EXPECT_GT(json().at("nodes").to_number<double>(), 0);
    }
  }
}

TEST_F(StudyCommands, APolicyIsWritten) {
  const std::string policy = (folder_.path() / "policy").string();
  ASSERT_EQ(solve(late(), "search", policy), kGood) << err_;
  std::ifstream in(policy);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "( policy x 100 )");
  std::getline(in, line);
  EXPECT_THAT(line, HasSubstr("( control x ) ) ( mark 3 3 ) )"));
  EXPECT_FALSE(std::getline(in, line));  // the move ends the match
  EXPECT_EQ(solve(late(), "search", (folder_.path() / "no" / "such" / "folder").string()),
            kCouldNot);
}

TEST_F(StudyCommands, WhatCannotBeSolvedInTimeEndsWithOne) {
  StudyOptions study = tic_tac_toe();
  study.seconds = 0.001;
  study.json = true;
  EXPECT_EQ(solve(study, "backward"), kNotGood);
  EXPECT_EQ(json().at("exact"), false);
}

}  // namespace
}  // namespace ludens::server
