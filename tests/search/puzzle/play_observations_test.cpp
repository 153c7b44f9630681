// SPDX-License-Identifier: MIT
// What random plays show about a puzzle, and how states are ranked and estimated by it.
#include "search/puzzle/play_observations.h"

#include <gtest/gtest.h>

#include <set>

#include "search/puzzle/goal_estimate.h"
#include "tests/search/factors/split_games.h"
#include "tests/search/puzzle/posed.h"

namespace ludens::search::puzzle {
namespace {

/// Pegs of a row are taken one by one; the goal at the end does not depend on the order.
constexpr const char* kPegs = R"((role taker) (peg 1) (peg 2) (peg 3) (peg 4)
  (<= (init (on ?p)) (peg ?p))
  (<= (legal taker (take ?p)) (true (on ?p)))
  (<= (next (on ?p)) (true (on ?p)) (not (does taker (take ?p))))
  (<= some_left (true (on ?p)))
  (<= terminal (not some_left)) (goal taker 60))";

/// A walker on a ring of five places, over after eight moves; 100 for being at 3 then.
constexpr const char* kRing = R"((role walker) (init (at 0)) (init (step 0))
  (round 0 1) (round 1 2) (round 2 3) (round 3 4) (round 4 0)
  (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8)
  (legal walker left) (legal walker right)
  (<= (next (at ?y)) (does walker right) (true (at ?x)) (round ?x ?y))
  (<= (next (at ?y)) (does walker left) (true (at ?x)) (round ?y ?x))
  (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
  (<= terminal (true (step 8)))
  (<= (goal walker 100) (true (at 3))) (<= (goal walker 20) (not (true (at 3)))))";

gdl::FluentId fluent(const gdl::Machine& machine, const char* text) {
  const auto id = machine.vocabulary()->find_fluent(text);
  EXPECT_TRUE(id) << text;
  return id.value_or(0);
}
gdl::MoveId move(const gdl::Machine& machine, const char* text) {
  const auto id = machine.vocabulary()->find_move(text);
  EXPECT_TRUE(id) << text;
  return id.value_or(0);
}

TEST(PlayObservations, SeesWhatMovesUseUp) {
  Posed posed(test::fast_machine(kPegs));
  posed.observations.gather(*posed.problem, 50);
  for (const char* peg : {"1", "2", "3", "4"}) {
    const gdl::FluentId on = fluent(*posed.machine, (std::string("( on ") + peg + " )").c_str());
    const auto used = posed.observations.used_by(
        move(*posed.machine, (std::string("( take ") + peg + " )").c_str()));
    EXPECT_EQ(std::vector<gdl::FluentId>(used.begin(), used.end()), std::vector{on}) << peg;
    EXPECT_TRUE(posed.observations.is_usable(on));
  }
  EXPECT_TRUE(posed.observations.used_by(1'000'000).empty());
  EXPECT_FALSE(posed.observations.is_usable(1'000'000));
  EXPECT_DOUBLE_EQ(posed.observations.mean_moves(), 6 / 4.0) << "three, two, one and none are left";
}

TEST(PlayObservations, OffersWhatThePlaysComeTo) {
  Posed posed(test::fast_machine(kPegs), 101);
  posed.observations.gather(*posed.problem, 5);
  EXPECT_EQ(posed.problem->best(), 60);
  EXPECT_EQ(posed.problem->line().size(), 4U);
  EXPECT_EQ(posed.goal_of(posed.problem->line()), 60);
  EXPECT_GE(posed.problem->deepest, 4U);
  EXPECT_EQ(posed.problem->states, 5U * 4);
}

TEST(PlayObservations, SaysThatItIsSolvedWhereAPlayIsEnough) {
  Posed posed(test::fast_machine(kPegs), 50);
  EXPECT_EQ(posed.observations.gather(*posed.problem, 5), Ended::Solved);
}

TEST(PlayObservations, TellsAClockByWhichPositionsOtherwiseRecur) {
  Posed posed(test::fast_machine(kRing), 101);
  posed.observations.gather(*posed.problem, 64);
  EXPECT_TRUE(posed.observations.has_clock());
  EXPECT_TRUE(posed.observations.is_clock(fluent(*posed.machine, "( step 3 )")));
  EXPECT_FALSE(posed.observations.is_clock(fluent(*posed.machine, "( at 3 )")));
  EXPECT_FALSE(posed.observations.is_clock(1'000'000));
}

TEST(PlayObservations, SeesNoClockWhereNothingRecurs) {
  Posed posed(test::fast_machine(kPegs));
  posed.observations.gather(*posed.problem, 64);
  EXPECT_FALSE(posed.observations.has_clock());
}

TEST(PlayObservations, SaysWhetherGoalsTellStatesApartBeforeTheEnd) {
  Posed pegs(test::fast_machine(kPegs)), ring(test::fast_machine(kRing), 101);
  pegs.observations.gather(*pegs.problem, 32);
  ring.observations.gather(*ring.problem, 32);
  EXPECT_FALSE(pegs.observations.goals_tell()) << "60 everywhere";
  EXPECT_TRUE(ring.observations.goals_tell());
}

TEST(PlayObservations, IsTheSameForTheSameSeed) {
  Posed one(test::fast_machine(kRing), 101, nullptr, 9),
      other(test::fast_machine(kRing), 101, nullptr, 9);
  one.observations.gather(*one.problem, 20);
  other.observations.gather(*other.problem, 20);
  EXPECT_EQ(one.problem->states, other.problem->states);
  EXPECT_TRUE(std::ranges::equal(one.problem->line(), other.problem->line()));
  EXPECT_EQ(one.rng(), other.rng()) << "as many numbers were drawn";
}

// Depths of plays that were stopped were added to those of the next.
TEST(PlayObservations, ThatWasStoppedIsGatheredAnew) {
  Posed whole(test::fast_machine(kRing), 101), broken(test::fast_machine(kRing), 101);
  whole.observations.gather(*whole.problem, 20);
  for (const std::uint64_t states : {40, 100, 200}) {
    const AtStates stop(*broken.problem, states);
    broken.problem->run_under(&stop);
    EXPECT_EQ(broken.observations.gather(*broken.problem, 20), Ended::Stopped);
  }
  broken.problem->run_under(nullptr);
  EXPECT_NE(broken.observations.gather(*broken.problem, 20), Ended::Stopped);
  EXPECT_EQ(broken.observations.mean_length(), whole.observations.mean_length());
  EXPECT_EQ(broken.problem->deepest, whole.problem->deepest);
  EXPECT_TRUE(broken.observations.has_clock());
}

// ---- the guide ----

TEST(Guide, HasRankingsByTheGoalOnlyWhereGoalsTell) {
  Posed pegs(test::fast_machine(kPegs)), ring(test::fast_machine(kRing), 101);
  pegs.observations.gather(*pegs.problem, 32);
  ring.observations.gather(*ring.problem, 32);
  const auto without = pegs.guide->rankings(), with = ring.guide->rankings();
  EXPECT_EQ(without.size(), std::size(kSigns));
  EXPECT_TRUE(std::ranges::none_of(without, &Ranking::goal_first));
  EXPECT_EQ(with.size(), 2 * std::size(kSigns) - 1) << "pure chance needs no goal to be blind to";
  EXPECT_TRUE(with.front().goal_first);
  EXPECT_TRUE(ring.guide->wants_goal({Sign::Most, true}));
  EXPECT_FALSE(ring.guide->wants_goal({Sign::Most, false}));
  EXPECT_TRUE(ring.guide->wants_goal({Sign::Safe, false}));
  EXPECT_FALSE(pegs.guide->wants_goal({Sign::Most, true})) << "they tell nothing";
}

TEST(Guide, RanksByTheNumberOfMoves) {
  Posed posed(doubling(20));
  const std::vector<gdl::MoveId> few(2), many(8);
  const gdl::StateView state = posed.problem->root();
  for (int i = 0; i < 20; ++i) {
    EXPECT_GT(posed.guide->rank({Sign::Most}, state, many, 0),
              posed.guide->rank({Sign::Most}, state, few, 0));
    EXPECT_LT(posed.guide->rank({Sign::Fewest}, state, many, 0),
              posed.guide->rank({Sign::Fewest}, state, few, 0));
    EXPECT_GT(posed.guide->rank({Sign::Fewest, true}, state, many, 30),
              posed.guide->rank({Sign::Fewest, true}, state, few, 29))
        << "the goal comes first";
  }
}

TEST(Guide, DecidesBetweenEqualsByChance) {
  Posed posed(doubling(20));
  const std::vector<gdl::MoveId> moves(3);
  std::set<float> ranks;
  for (int i = 0; i < 10; ++i) {
    ranks.insert(posed.guide->rank({Sign::Chance}, posed.problem->root(), moves, 0));
  }
  EXPECT_EQ(ranks.size(), 10U);
}

TEST(Guide, RanksLowWhatCannotBeUsedUpAnyMore) {
  Posed posed(test::fast_machine(kPegs));
  posed.observations.gather(*posed.problem, 32);
  const auto moves = posed.problem->root_moves();
  const gdl::StateView root = posed.problem->root();
  const float open = posed.guide->rank({Sign::Open}, root, moves, 0);
  const float closed = posed.guide->rank({Sign::Open}, root, moves.first(2), 0);
  EXPECT_GT(open, closed + 10) << "two pegs stay for ever";
}

TEST(Guide, NamesAPositionWithOrWithoutItsClocks) {
  Posed posed(test::fast_machine(kRing), 101);
  posed.observations.gather(*posed.problem, 64);
  const auto context = posed.machine->make_context();
  const gdl::MoveId around[] = {move(*posed.machine, "left"), move(*posed.machine, "right")};
  gdl::State there, back;
  ASSERT_EQ(posed.machine->next(*context, posed.problem->root(), {&around[0], 1}, there),
            gdl::Status::Ok);
  ASSERT_EQ(posed.machine->next(*context, there, {&around[1], 1}, back), gdl::Status::Ok);
  Guide& guide = *posed.guide;
  EXPECT_FALSE(guide.key(posed.problem->root(), false) == guide.key(back, false));
  EXPECT_TRUE(guide.key(posed.problem->root(), true) == guide.key(back, true));
  EXPECT_FALSE(guide.key(there, true) == guide.key(back, true));
  EXPECT_TRUE(guide.key(back, false) == gdl::hash(back));
}

TEST(Guide, KeysOfAPassAreThoseOfItsChildrenThatGoOn) {
  Posed posed(doubling(4));
  Passes passes(*posed.problem);
  const std::vector<std::uint64_t> three{3};
  passes.add(gdl::StateView(three), 0, 0);
  passes.add(posed.problem->root(), 1, 1);
  ASSERT_EQ(passes.run(), gdl::Status::Ok);
  const Fingerprints table(nullptr);
  const auto keys = posed.guide->keys(passes, false, table);
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_TRUE(keys[1] == gdl::hash(passes[1].state));
}

// ---- estimates ----

TEST(GoalEstimate, IsNothingWhereGoalsTellNothing) {
  Posed pegs(test::fast_machine(kPegs));
  pegs.observations.gather(*pegs.problem, 16);
  EXPECT_EQ(GoalEstimate(*pegs.guide).moves(pegs.problem->root()), 0);
}

TEST(GoalEstimate, IsLargerTheLessAStateWouldBeWorth) {
  Posed ring(test::fast_machine(kRing), 101);
  ring.observations.gather(*ring.problem, 32);
  GoalEstimate estimate(*ring.guide);
  const double at_first = estimate.moves(ring.problem->root());
  const auto context = ring.machine->make_context();
  gdl::State now(ring.problem->root()), after;
  const gdl::MoveId left = move(*ring.machine, "left");
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(ring.machine->next(*context, now, {&left, 1}, after), gdl::Status::Ok);
    std::swap(now, after);
  }
  EXPECT_EQ(ring.guide->goal_of(now), 100) << "at 3";
  EXPECT_EQ(estimate.moves(now), 0);
  EXPECT_GT(at_first, 0);
}

TEST(CountEstimate, CountsOpenConditionsOfTheLargestGoal) {
  const auto dials = test::fast_machine(test::dials(3, 11));
  ASSERT_TRUE(CountEstimate::suits(*dials));
  Posed posed(dials);
  CountEstimate estimate(*posed.problem);
  const double at_first = estimate.moves(posed.problem->root());
  EXPECT_GE(at_first, 3) << "each dial stands elsewhere";
  const auto context = dials->make_context();
  gdl::State now(posed.problem->root()), after;
  const gdl::MoveId up = move(*dials, "( up 1 )");
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(dials->next(*context, now, {&up, 1}, after), gdl::Status::Ok);
    std::swap(now, after);
  }
  EXPECT_EQ(estimate.moves(now), at_first - 1);
}

TEST(CountEstimate, KnowsNothingOfAMachineWithoutStructure) {
  Posed posed(doubling(20));
  EXPECT_FALSE(CountEstimate::suits(*posed.machine));
  EXPECT_EQ(CountEstimate(*posed.problem).moves(posed.problem->root()), 0);
}

}  // namespace
}  // namespace ludens::search::puzzle
