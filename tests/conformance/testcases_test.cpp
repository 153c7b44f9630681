// SPDX-License-Identifier: MIT
// The state machine tests of the reference implementation, as facts: each of its test rulesheets
// played as its own tests play it.
#include <gtest/gtest.h>

#include <filesystem>

#include "gdl/registry/machines.h"
#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

using gdl::MoveId;
using Names = std::vector<std::string>;

const std::filesystem::path kFolder = project_folder() + "/../shared/games/testcases";

class TestCases : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) {
      GTEST_SKIP() << "the reference's test rulesheets are not beside the project: " << kFolder;
    }
  }

  void start(const std::string& name) {
    const auto text = gdl::read_file(kFolder / (name + ".kif"));
    ASSERT_TRUE(text.has_value()) << name;
    const Rulesheet sheet = read_rulesheet(name, *text);
    machine =
        gdl::make_machine("interpreter", std::make_shared<gdl::Vocabulary>(sheet.rules)).value();
    context = machine->make_context();
    ASSERT_EQ(machine->initial(*context, state), gdl::Status::Ok);
  }
  Names legal(gdl::RoleIndex role = 0) {
    std::vector<MoveId> moves;
    EXPECT_EQ(machine->legal(*context, state, role, moves), gdl::Status::Ok);
    Names names;
    for (const MoveId m : moves) names.push_back(machine->vocabulary()->move_name(m));
    std::ranges::sort(names);
    return names;
  }
  void make(const Names& moves) {
    std::vector<MoveId> joint;
    for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) (void)legal(r);
    for (const std::string& move : moves) {
      const auto id = machine->vocabulary()->find_move(move);
      ASSERT_TRUE(id) << move;
      joint.push_back(*id);
    }
    gdl::State after;
    ASSERT_EQ(machine->next(*context, state, joint, after), gdl::Status::Ok);
    state = after;
  }
  bool terminal() {
    bool ended = false;
    EXPECT_EQ(machine->terminal(*context, state, ended), gdl::Status::Ok);
    return ended;
  }
  std::vector<int> goals() {
    std::vector<int> values(machine->role_count());
    EXPECT_EQ(machine->goals(*context, state, values), gdl::Status::Ok);
    return values;
  }
  /// Not terminal with these legal moves of the only role; after the move terminal with 100.
  void expect_one_step_to_100(const std::string& name, const Names& moves,
                              const std::string& move) {
    start(name);
    EXPECT_FALSE(terminal());
    EXPECT_EQ(legal(), moves);
    make({move});
    EXPECT_TRUE(terminal());
    EXPECT_EQ(goals(), std::vector{100});
  }

  std::shared_ptr<const gdl::Machine> machine;
  std::unique_ptr<gdl::Machine::Context> context;
  gdl::State state;
};

TEST_F(TestCases, TicTacToe) {
  start("ticTacToe");
  ASSERT_EQ(machine->role_count(), 2U);
  EXPECT_EQ(machine->role_name(0), "xplayer");
  EXPECT_EQ(machine->role_name(1), "oplayer");
  EXPECT_FALSE(terminal());
  EXPECT_EQ(legal(0).size(), 9U);
  EXPECT_EQ(legal(1), Names{"noop"});
  EXPECT_TRUE(std::ranges::count(legal(0), "( mark 1 1 )"));
  const std::vector<Names> moves{{"( mark 1 1 )", "noop"},
                                 {"noop", "( mark 1 3 )"},
                                 {"( mark 3 1 )", "noop"},
                                 {"noop", "( mark 2 2 )"},
                                 {"( mark 2 1 )", "noop"}};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_FALSE(terminal());
    EXPECT_TRUE(std::ranges::count(legal(i % 2), moves[i][i % 2]));
    make(moves[i]);
  }
  EXPECT_TRUE(terminal());
  EXPECT_EQ(goals(), (std::vector{100, 0}));
}

TEST_F(TestCases, GoalThatDoesNotDependOnTheState) {
  start("test_case_1a");
  EXPECT_FALSE(terminal());
  EXPECT_EQ(goals(), std::vector{100});
  make({"proceed"});
  EXPECT_TRUE(terminal());
  EXPECT_EQ(goals(), std::vector{100});
}

TEST_F(TestCases, PropositionAndRelationWithoutArgumentsAreOne) {
  start("test_case_3a");
  EXPECT_EQ(legal(), Names{"( move correct_correct )"});
}

TEST_F(TestCases, UndefinedPropositionIsFalse) {
  expect_one_step_to_100("test_case_3c", {"win"}, "win");
}

TEST_F(TestCases, RoleVariableUnderNegation) {
  start("test_case_3f");
  EXPECT_TRUE(terminal());
  EXPECT_EQ(goals(), (std::vector{100, 0, 100}));
}

TEST_F(TestCases, RecursionThroughAFunction) {
  expect_one_step_to_100("test_case_5a", {"proceed"}, "proceed");
}

TEST_F(TestCases, VariablesThatOccurTwice) {
  start("test_case_5b");
  EXPECT_EQ(machine->print(*context, state), "( )");
  EXPECT_FALSE(terminal());
  EXPECT_EQ(legal(), Names{"( draw 1 1 1 2 )"});
  make({"( draw 1 1 1 2 )"});
  EXPECT_TRUE(terminal());
}

TEST_F(TestCases, CirclesWithoutBase) {
  expect_one_step_to_100("test_case_5c", {"proceed"}, "proceed");
}

TEST_F(TestCases, MutualRecursionWithSwappedArguments) {
  expect_one_step_to_100("test_case_5d", {"proceed"}, "proceed");
}

TEST_F(TestCases, LeftRecursion) {
  start("test_case_5e");
  EXPECT_FALSE(terminal());
  EXPECT_EQ(legal(), (Names{"( reduce a 0 )", "( reduce a 1 )", "( reduce c 0 )", "( reduce c 1 )",
                            "( reduce c 2 )", "( reduce c 3 )", "( reduce c 4 )"}));
}

TEST_F(TestCases, DistinctBeforeItsBinder) {
  expect_one_step_to_100("test_distinct_beginning_rule", {"( do a b )", "( do b a )"},
                         "( do a b )");
}

TEST_F(TestCases, NotDistinctMeansEqual) {
  start("test_clean_not_distinct");
  ASSERT_EQ(machine->role_count(), 1U);
  ASSERT_EQ(legal().size(), 1U);
  make(legal());
  EXPECT_TRUE(terminal());
  EXPECT_EQ(goals(), std::vector{100});
}

}  // namespace
}  // namespace ludens::server
