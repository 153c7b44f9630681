// SPDX-License-Identifier: MIT
// Positions of a game, and moves of a file that lead there.
#include "server/game/position.h"

#include <gtest/gtest.h>

#include <fstream>

#include "gdl/interpreter/interpreter.h"
#include "server/game/moves_file.h"
#include "server/game/rulesheet.h"
#include "tests/server/heap_game.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

std::shared_ptr<const gdl::Machine> machine_of(const std::string& rules) {
  return gdl::make_interpreter(
      std::make_shared<gdl::Vocabulary>(read_rulesheet("test", rules).rules));
}

Position begun(const std::string& rules) {
  Position position(machine_of(rules));
  EXPECT_EQ(position.begin(), gdl::Status::Ok);
  return position;
}

/// Makes a joint move by its names.
gdl::Status make(Position& position, const std::vector<std::string>& names) {
  std::vector<gdl::MoveId> joint;
  for (const std::string& name : names) {
    const auto move = position.find_legal(static_cast<gdl::RoleIndex>(joint.size()), name);
    EXPECT_TRUE(move) << name;
    joint.push_back(move.value_or(gdl::kNoMove));
  }
  return position.advance(joint);
}

TEST(PositionOfAGame, KnowsWhatEachRolePerceives) {
  Position position = begun(
      "(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)"
      "(<= (legal ?r (say ?n)) (role ?r) (word ?n)) (word x) (word y)"
      "(<= (sees b (heard ?w)) (does a (say ?w))) (<= (sees b odd) (true (step 1)))"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
      "(<= terminal (true (step 2))) (goal a 1) (goal b 2)");
  EXPECT_TRUE(position.hides_moves());
  EXPECT_TRUE(position.known(0).empty());
  ASSERT_EQ(make(position, {"( say y )", "( say x )"}), gdl::Status::Ok);
  ASSERT_EQ(make(position, {"( say x )", "( say x )"}), gdl::Status::Ok);
  ASSERT_EQ(position.known(1).size(), 2u);
  EXPECT_EQ(position.move_name(position.known(1)[0].own), "( say x )");
  const auto names = [&](gdl::RoleIndex role, std::size_t turn) {
    return percept_names(position.vocabulary(), position.known(role)[turn]);
  };
  EXPECT_EQ(names(0, 0), std::vector<std::string>());
  EXPECT_EQ(names(1, 0), std::vector<std::string>{"( heard y )"});
  EXPECT_EQ(names(1, 1), (std::vector<std::string>{"( heard x )", "odd"}));
  ASSERT_EQ(position.begin(), gdl::Status::Ok);
  EXPECT_TRUE(position.known(1).empty()) << "anew";
}

TEST(PositionOfAGame, HidesNothingWithoutSees) {
  Position position = begun(kHeapGame);
  EXPECT_FALSE(position.hides_moves());
  ASSERT_EQ(make(position, {"( take 1 )", "noop"}), gdl::Status::Ok);
  EXPECT_TRUE(position.known(0).empty());
}

TEST(PositionOfAGame, KnowsEverythingOfTheInitialState) {
  const Position position = begun(kHeapGame);
  EXPECT_EQ(position.roles(), 2U);
  EXPECT_EQ(position.text(), "( ( control white ) ( heap 2 ) )");
  EXPECT_EQ(position.fluents().size(), 2U);
  EXPECT_FALSE(position.terminal());
  ASSERT_EQ(position.legal(0).size(), 1U);
  EXPECT_EQ(position.move_name(position.legal(0)[0]), "( take 1 )");
  EXPECT_EQ(position.move_name(position.legal(1)[0]), "noop");
  EXPECT_EQ(std::vector<int>(position.goals().begin(), position.goals().end()), (std::vector{0, 0}))
      << "not before the end";
  EXPECT_TRUE(position.flaws().empty());
}

TEST(PositionOfAGame, MovesOnToTheEnd) {
  Position position = begun(kHeapGame);
  EXPECT_EQ(make(position, {"( take 1 )", "noop"}), gdl::Status::Ok);
  EXPECT_EQ(position.text(), "( ( control black ) ( heap 1 ) )");
  EXPECT_EQ(make(position, {"noop", "( take 1 )"}), gdl::Status::Ok);
  EXPECT_TRUE(position.terminal());
  EXPECT_TRUE(position.legal(0).empty());
  EXPECT_EQ(position.goals()[0], 100);
  EXPECT_EQ(position.begin(), gdl::Status::Ok);
  EXPECT_FALSE(position.terminal()) << "and back to the beginning";
  EXPECT_EQ(position.goals()[0], 0);
}

TEST(PositionOfAGame, DerivesGoalsBeforeTheEndOnRequest) {
  Position position = begun(kHeapGame);
  EXPECT_EQ(position.find_goals(), gdl::Status::Ok);
  EXPECT_EQ(position.goals()[0], 100);
  EXPECT_EQ(make(position, {"( take 1 )", "noop"}), gdl::Status::Ok);
  EXPECT_EQ(position.goals()[0], 0) << "of the state before";
}

TEST(PositionOfAGame, FindsLegalMovesInAnySpelling) {
  const Position position = begun(kHeapGame);
  EXPECT_EQ(position.find_legal(0, "(TAKE   1)"), position.legal(0)[0]);
  EXPECT_FALSE(position.find_legal(0, "noop")) << "a move, but not this role's";
  EXPECT_FALSE(position.find_legal(0, "( take 2 )"));
  EXPECT_FALSE(position.find_legal(0, "( take"));
  EXPECT_FALSE(position.find_legal(0, ""));
}

TEST(PositionOfAGame, ReportsFaultsOfTheGameInTheStateWhereTheyAre) {
  Position position = begun(
      "(role a) (role b) (init (at 1)) (legal a go) (<= (legal b wait) (true (at 2)))"
      "(<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))"
      "(<= terminal (true (at 3))) (goal a 20) (goal a 30)");
  ASSERT_EQ(position.flaws().size(), 1U);
  EXPECT_EQ(describe(position.flaws()[0], position.machine()), "role b has no legal move");
  const gdl::MoveId first[] = {position.legal(0)[0], gdl::kNoMove};
  ASSERT_EQ(position.advance(first), gdl::Status::Ok);
  EXPECT_TRUE(position.flaws().empty()) << "not of the state before";
  ASSERT_EQ(make(position, {"go", "wait"}), gdl::Status::Ok);
  ASSERT_EQ(position.flaws().size(), 2U);
  EXPECT_EQ(describe(position.flaws()[0], position.machine()),
            "role a has several goal values at the end; the largest counts");
  EXPECT_EQ(describe(position.flaws()[1], position.machine()),
            "role b has no goal value at the end; counted as 0");
  EXPECT_EQ(position.goals()[0], 30);
}

TEST(PositionOfAGame, SaysThatMemoryOrTimeIsOut) {
  class Now final : public gdl::StopSignal {
   public:
    [[nodiscard]] bool stop_requested() const noexcept override { return true; }
  } now;
  gdl::MemoryBudget none(10);
  const auto machine = machine_of(kHeapGame);
  EXPECT_EQ(Position(machine, {nullptr, &none}).begin(), gdl::Status::OverBudget);
  EXPECT_EQ(Position(machine, {&now, nullptr}).begin(), gdl::Status::Stopped);
  EXPECT_EQ(explain(gdl::Status::Stopped), "stopped");
  EXPECT_NE(explain(gdl::Status::OverBudget).find("memory"), std::string_view::npos);
}

// ---- moves of a file ----

class MovesOfAFile : public testing::Test {
 protected:
  MovesMade make(const std::string& text) {
    std::ofstream(folder_.path() / "moves", std::ios::binary) << text;
    return make_moves_of_file((folder_.path() / "moves").string(), position_);
  }
  [[nodiscard]] std::string in_line(int line, const std::string& what) const {
    return (folder_.path() / "moves").string() + ":" + std::to_string(line) + ": " + what;
  }
  ScratchFolder folder_;
  Position position_ = begun(kHeapGame);
};

TEST_F(MovesOfAFile, AreMadeOneALine) {
  const MovesMade made = make("( (take 1) noop )\r\n\n; a comment\n(NOOP (take 1))");
  EXPECT_TRUE(made.readable);
  EXPECT_EQ(made.problem, "");
  EXPECT_EQ(made.history.size(), 4U);
  EXPECT_EQ(position_.move_name(made.history[0]), "( take 1 )");
  EXPECT_TRUE(position_.terminal());
}

TEST_F(MovesOfAFile, MayBeNone) {
  const MovesMade made = make("");
  EXPECT_EQ(made.problem, "");
  EXPECT_TRUE(made.history.empty());
  EXPECT_EQ(position_.text(), "( ( control white ) ( heap 2 ) )");
}

TEST_F(MovesOfAFile, EndAtTheFirstLineThatCannotBeMade) {
  const struct {
    const char* text;
    int line;
    const char* what;
  } cases[] = {
      {"((take 1) noop)\n((take 1) noop)\n", 2, "( take 1 ) is not legal for white"},
      {"\n\n((take 1))", 3, "a joint move is one move a role, as ( m1 m2 )"},
      {"noop", 1, "a joint move is one move a role, as ( m1 m2 )"},
      {"((take 1) noop) (noop noop)", 1, "a joint move is one move a role, as ( m1 m2 )"},
      {"((take 1) noop)\n(noop (take 1))\n(noop noop)", 3, "the match is over before this move"},
  };
  for (const auto& tested : cases) {
    ASSERT_EQ(position_.begin(), gdl::Status::Ok);
    const MovesMade made = make(tested.text);
    EXPECT_TRUE(made.readable);
    EXPECT_EQ(made.problem, in_line(tested.line, tested.what)) << tested.text;
    EXPECT_EQ(made.history.size() % 2, 0U);
  }
}

TEST_F(MovesOfAFile, NameTheLineOfATextThatCannotBeRead) {
  const MovesMade made = make("((take 1) noop)\n(noop (take 1)");
  EXPECT_EQ(made.problem.rfind(in_line(2, ""), 0), 0U) << made.problem;
  EXPECT_EQ(made.history.size(), 2U) << "those before were made";
}

TEST_F(MovesOfAFile, ThatIsNotThereAreNotReadable) {
  const MovesMade made = make_moves_of_file((folder_.path() / "none").string(), position_);
  EXPECT_FALSE(made.readable);
  EXPECT_EQ(made.problem, (folder_.path() / "none").string() + ": No such file or directory");
}

}  // namespace
}  // namespace ludens::server
