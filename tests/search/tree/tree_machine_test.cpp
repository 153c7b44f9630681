// SPDX-License-Identifier: MIT
#include "tests/search/tree/tree_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of(const std::string& text) {
  const auto parsed = TreeMachine::parse(text);
  return parsed ? "" : gdl::format(parsed.error().front(), "tree");
}

/// Plays named moves from the initial state; the node reached.
std::string play(const DrawnGame& game, const std::vector<std::vector<std::string>>& joint_moves) {
  const auto context = game.machine->make_context({});
  gdl::State state, next;
  EXPECT_EQ(game.machine->initial(*context, state), gdl::Status::Ok);
  for (const auto& names : joint_moves) {
    std::vector<gdl::MoveId> moves;
    for (const auto& name : names) {
      moves.push_back(game.machine->vocabulary()->find_move(name).value());
    }
    EXPECT_EQ(game.machine->next(*context, state, moves, next), gdl::Status::Ok);
    std::swap(state, next);
  }
  return game.name(TreeMachine::node_of(state));
}

std::vector<std::string> legal(const DrawnGame& game, std::string_view node, gdl::RoleIndex role) {
  const auto context = game.machine->make_context({});
  std::vector<std::string> names;
  for (TreeNode i = 0; i < game.machine->node_count(); ++i) {
    if (game.machine->node_name(i) != node) continue;
    const std::vector<std::uint64_t> word{i};
    std::vector<gdl::MoveId> moves;
    EXPECT_EQ(game.machine->legal(*context, gdl::StateView(word), role, moves), gdl::Status::Ok);
    for (const gdl::MoveId move : moves) names.push_back(game.move_name(move));
  }
  return names;
}

TEST(TreeMachine, OneRoleMovesAndTheOthersWait) {
  const DrawnGame game("(roles max min) (max:a left (min:b 3 x:12) right y:4)");
  EXPECT_EQ(game.machine->role_count(), 2U);
  EXPECT_THAT(legal(game, "a", 0), ElementsAre("left", "right"));
  EXPECT_THAT(legal(game, "a", 1), ElementsAre("noop"));
  EXPECT_THAT(legal(game, "b", 1), ElementsAre("1", "2"));
  EXPECT_THAT(legal(game, "x", 0), ElementsAre());
  EXPECT_EQ(play(game, {{"left", "noop"}, {"noop", "2"}}), "x");
  EXPECT_EQ(play(game, {{"right", "noop"}}), "y");
}

TEST(TreeMachine, AllRolesMoveAtOnce) {
  const DrawnGame game("(roles a b) (*:r (u l) 1 (u r) x:2 (d l) y:3 (d r) 4)");
  EXPECT_THAT(legal(game, "r", 0), ElementsAre("u", "d"));
  EXPECT_THAT(legal(game, "r", 1), ElementsAre("l", "r"));
  EXPECT_EQ(play(game, {{"u", "r"}}), "x");
  EXPECT_EQ(play(game, {{"d", "l"}}), "y");
}

TEST(TreeMachine, StatesRecurByReference) {
  const DrawnGame game("(roles a) (a:r go (a:s back @r on 50))");
  EXPECT_EQ(play(game, {{"go"}, {"back"}}), "r");
}

TEST(TreeMachine, GoalsAreOfAllRolesButRandom) {
  const DrawnGame game("(roles a random b) (random x:30 (1 2))");
  const auto context = game.machine->make_context({});
  std::vector<int> goals(3);
  std::vector<std::uint64_t> word{1};
  ASSERT_EQ(game.machine->goals(*context, gdl::StateView(word), goals), gdl::Status::Ok);
  EXPECT_THAT(goals, ElementsAre(30, 0, 70));
  word[0] = 2;
  ASSERT_EQ(game.machine->goals(*context, gdl::StateView(word), goals), gdl::Status::Ok);
  EXPECT_THAT(goals, ElementsAre(1, 0, 2));
  EXPECT_EQ(game.machine->random_role(), 1U);
}

TEST(TreeMachine, WrongTextsAreErrorsWithAPlace) {
  EXPECT_THAT(problem_of("(roles a b) (a 1"), HasSubstr("tree:1:13: error: "));
  EXPECT_THAT(problem_of("(roles a b)"), HasSubstr("expected (roles ROLE ...) and a node"));
  EXPECT_THAT(problem_of("(roles a b) (c 1 2)"),
              HasSubstr("tree:1:14: error: there is no role 'c'"));
  EXPECT_THAT(problem_of("(roles a b) (a left)"), HasSubstr("a move leads nowhere"));
  EXPECT_THAT(problem_of("(roles a b) (a)"), HasSubstr("a branch has children"));
  EXPECT_THAT(problem_of("(roles a b) (a 1 101)"), HasSubstr("leads nowhere"));
  EXPECT_THAT(problem_of("(roles a b) (a l x:101)"), HasSubstr("expected a goal from 0 to 100"));
  EXPECT_THAT(problem_of("(roles a b) (a x:1 x:2)"), HasSubstr("two nodes are called x"));
  EXPECT_THAT(problem_of("(roles a b) (a l @y)"), HasSubstr("there is no node 'y'"));
  EXPECT_THAT(problem_of("(roles a b c) (a 1 2)"), HasSubstr("more than two roles"));
  EXPECT_THAT(problem_of("(roles a b c) (a (1 2) 2)"), HasSubstr("a goal for every role"));
  EXPECT_THAT(problem_of("(roles a b) (a u (b l 1 r 2) d (b r 1 l 2))"),
              HasSubstr("another order"));
  EXPECT_THAT(problem_of("(roles a b) (* (u l) 1 (u r) 2 (d l) 3)"), HasSubstr("combination"));
  EXPECT_THAT(problem_of("(roles a b) (* (u l) 1 (u r) 2 (d l) 3 (d l) 4)"),
              HasSubstr("same moves"));
  EXPECT_THAT(problem_of("(roles a b) 5"), HasSubstr("the root is a leaf"));
}

}  // namespace
}  // namespace ludens::search
