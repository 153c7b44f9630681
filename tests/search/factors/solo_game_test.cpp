// SPDX-License-Identifier: MIT
// The part of a game that counts for one role, alone and within the game.
#include "search/factors/solo_game.h"

#include <gtest/gtest.h>

#include "tests/search/factors/split_games.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using factors::SoloGame;

/// Two walkers in turn on lines of their own, of whom `right` may also rest, over after 12 steps of
/// the clock, which `right` winds. A walker gets what its place is worth.
std::string walkers(const std::string& more = "") {
  std::string text =
      R"((role left)(role right)(init (at left 0))(init (at right 0))(init (turn left))
    (init (time 0))(<= (legal ?r (go ?d)) (true (turn ?r)) (way ?d))(way up)(way down)
    (<= (legal right wind) (true (turn right)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (at ?r ?y)) (does ?r (go up)) (true (at ?r ?x)) (above ?x ?y))
    (<= (next (at ?r ?x)) (does ?r (go down)) (true (at ?r ?y)) (above ?x ?y))
    (<= (next (at ?r 0)) (does ?r (go down)) (true (at ?r 0)))
    (<= (next (at ?r 6)) (does ?r (go up)) (true (at ?r 6)))
    (<= (next (at ?r ?x)) (does ?r noop) (true (at ?r ?x)))
    (<= (next (at right ?x)) (does right wind) (true (at right ?x)))
    (<= (next (turn right)) (true (turn left)))
    (<= (next (turn left)) (does right wind))
    (<= (next (turn right)) (true (turn right)) (not winds))
    (<= (next (time ?n)) (does right wind) (true (time ?m)) (after ?m ?n))
    (<= (next (time ?n)) (true (time ?n)) (not winds))
    (<= winds (does right wind))
    (<= terminal (true (time 6)))
    (<= (goal ?r ?g) (true (at ?r ?x)) (worth ?x ?g))
    (worth 0 0)(worth 1 10)(worth 2 20)(worth 3 30)(worth 4 40)(worth 5 50)(worth 6 100)
    (after 0 1)(after 1 2)(after 2 3)(after 3 4)(after 4 5)(after 5 6))";
  for (int i = 0; i < 6; ++i) {
    text += "(above " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return text + more;
}

TEST(SoloGame, IsAGameForOneRoleWithTheSameGoals) {
  const auto whole = fast_machine(walkers());
  const auto part = SoloGame::make(*whole, 0, {});
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->machine()->role_count(), 1U);
  gdl::Rng rng(1);
  const Position root = initial_position(whole);
  EXPECT_FALSE(part->others_touch_it(root.state, Deadline(), rng));
  // Whatever the other does, the part has the legal moves and the end of the whole game.
  const auto context = whole->make_context(), own = part->machine()->make_context();
  for (int play = 0; play < 20; ++play) {
    gdl::State state = root.state, next, projected;
    std::vector<gdl::MoveId> joint(2), legal, own_legal;
    bool over = false, own_over = false, as_told = false, moved = false;
    while (!over) {
      ASSERT_EQ(part->project(state, projected), gdl::Status::Ok);
      ASSERT_EQ(whole->legal(*context, state, 0, legal), gdl::Status::Ok);
      ASSERT_EQ(part->machine()->legal(*own, projected, 0, own_legal), gdl::Status::Ok);
      for (gdl::MoveId& move : own_legal) move = part->to_whole(move);
      std::ranges::sort(own_legal);
      EXPECT_EQ(own_legal, legal);
      for (gdl::RoleIndex role = 0; role < 2; ++role) {
        ASSERT_EQ(whole->legal(*context, state, role, legal), gdl::Status::Ok);
        joint[role] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      }
      ASSERT_EQ(part->follow(state, joint, next, as_told, moved), gdl::Status::Ok);
      EXPECT_TRUE(as_told);
      state = next;
      ASSERT_EQ(part->project(state, projected), gdl::Status::Ok);
      ASSERT_EQ(whole->terminal(*context, state, over), gdl::Status::Ok);
      ASSERT_EQ(part->machine()->terminal(*own, projected, own_over), gdl::Status::Ok);
      EXPECT_EQ(own_over, over);
    }
    std::vector<int> goals(2), own_goals(1);
    ASSERT_EQ(whole->goals(*context, state, goals), gdl::Status::Ok);
    ASSERT_EQ(part->machine()->goals(*own, projected, own_goals), gdl::Status::Ok);
    EXPECT_EQ(own_goals[0], goals[0]);
  }
}

TEST(SoloGame, SeesThatAnotherRoleHasASay) {
  const auto whole = fast_machine(walkers(R"((<= (legal right push) (true (turn right)))
    (<= (next (at left 0)) (does right push))(<= (next (turn left)) (does right push))
    (<= (next (at right ?x)) (does right push) (true (at right ?x))))"));
  const auto part = SoloGame::make(*whole, 0, {});
  ASSERT_NE(part, nullptr) << "where `right` stands does not count for `left`";
  gdl::Rng rng(1);
  EXPECT_TRUE(part->others_touch_it(initial_position(whole).state, Deadline(), rng));
}

TEST(SoloGame, LeavesGamesAloneOfWhichAllCounts) {
  EXPECT_EQ(SoloGame::make(*fast_machine(bundled_rulesheet("tic_tac_toe")), 0, {}), nullptr);
  EXPECT_EQ(SoloGame::make(*fast_machine(dials(2, 6)), 0, {}), nullptr);
}

TEST(SoloGame, AutoPlaysItAlone) {
  const auto whole = fast_machine(walkers());
  const auto strategy = strategy_of("auto:playouts=400,seed=1");
  gdl::Rng rng(3);
  Position position = initial_position(whole);
  const auto context = whole->make_context();
  for (bool over = false; !over;) {
    const Choice choice = think(*strategy, position);
    EXPECT_NE(strategy->explanation().find("can't touch what counts for left"), std::string::npos)
        << strategy->explanation();
    EXPECT_FALSE(choice.exact);
    const auto others = legal_moves(position, 1);
    make_move(position, std::vector{choice.move,
                                    others[rng.below(static_cast<std::uint32_t>(others.size()))]});
    ASSERT_EQ(whole->terminal(*context, position.state, over), gdl::Status::Ok);
  }
  std::vector<int> goals(2);
  ASSERT_EQ(whole->goals(*context, position.state, goals), gdl::Status::Ok);
  EXPECT_EQ(goals[0], 100);
}

}  // namespace
}  // namespace ludens::search::test
