// SPDX-License-Identifier: MIT
// The strategy puzzle: every search of it on drawn games, plans, proofs and limits.
#include "search/puzzle/puzzle.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/search/factors/split_games.h"
#include "tests/search/native_machine.h"
#include "tests/search/strategy/odd_machines.h"
#include "tests/search/thinking.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

using test::initial_position;
using test::legal_moves;
using test::make_move;
using test::strategy_of;
using test::think;

/// The best end lies behind a choice that looks bad, and ways lead back to where they came from.
constexpr const char* kMaze =
    "(roles one) (one:start 50 (one:hall @start (one:cellar @hall (one 10 @cellar 80) 20)) "
    "(one @start @hall 60))";

/// Lamps in a row; a move switches one and its neighbours; over when all are out, or after `time`
/// moves. Moves commute, positions recur, and the clock distinguishes states.
class Lamps final : public test::NativeGame {
 public:
  Lamps(std::uint64_t lamps, std::uint64_t lit, std::uint64_t time)
      : lamps_(lamps), lit_(lit), time_(time) {}
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return lit_; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    std::vector<gdl::MoveId> moves;
    for (gdl::MoveId lamp = 0; lamp < lamps_; ++lamp) moves.push_back(lamp);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    const std::uint64_t all = (std::uint64_t{1} << lamps_) - 1;
    const std::uint64_t hit = ((std::uint64_t{7} << move[0]) >> 1) & all;
    return ((state & kMask) ^ hit) | ((state & ~kMask) + (kMask + 1));
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if ((state & kMask) == 0) return std::vector{100};
    if (state / (kMask + 1) >= time_) return std::vector{static_cast<int>(time_)};
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kMask = 0xffffff;
  std::uint64_t lamps_, lit_, time_;
};

std::shared_ptr<const gdl::Machine> lamps(std::uint64_t count, std::uint64_t lit,
                                          std::uint64_t time) {
  return std::make_shared<test::NativeMachine>(std::make_shared<Lamps>(count, lit, time));
}

/// Follows the strategy to the end of the game; the goal.
int play_out(Strategy& strategy, Position position) {
  while (!test::is_terminal(position)) {
    const Choice choice = think(strategy, position);
    make_move(position, {&choice.move, 1});
  }
  return test::goals_of(position)[0];
}

/// Searches by beams of one width only.
std::unique_ptr<Strategy> narrow_beam(std::size_t width, int enough = 100) {
  PuzzleSettings settings;
  settings.portfolio.method = puzzle::Method::Beam;
  settings.portfolio.width = width;
  settings.portfolio.states = 2000;
  settings.enough = enough;
  return make_puzzle(settings, {});
}

class EverySearch : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::unique_ptr<Strategy> strategy(const std::string& more = "") const {
    return strategy_of("puzzle:seed=3,search=" + GetParam() + more);
  }
};

TEST_P(EverySearch, FindsTheOnlyEndWorthAHundred) {
  DrawnGame game("(roles one) (one (one 1 (one 2 3)) (one (one 4 100) 5) (one 6 7))");
  const auto strategy = this->strategy();
  Position position = initial_position(game.machine);
  EXPECT_EQ(think(*strategy, position).value, 100);
  EXPECT_EQ(play_out(*strategy, position), 100);
}

TEST_P(EverySearch, FindsAWayThroughCircles) {
  DrawnGame game(kMaze);
  const auto strategy = this->strategy(",nodes=20000");
  EXPECT_EQ(think(*strategy, initial_position(game.machine)).value, 80);
}

TEST_P(EverySearch, SolvesLampsInTime) {
  const auto machine = lamps(6, 0b101101, 6);
  const auto strategy = this->strategy();
  const Choice choice = think(*strategy, initial_position(machine));
  EXPECT_EQ(choice.value, 100);
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(play_out(*strategy, initial_position(machine)), 100);
}

TEST_P(EverySearch, PublishesABestScoreThatNeverFalls) {
  DrawnGame game("(roles one) (one 10 (one 20 30) (one (one 40 90) (one 70 5)))");
  const auto strategy = this->strategy(",nodes=5000");
  double best = -1;
  Incumbent* seen = nullptr;
  Incumbent incumbent([&](bool) {
    const double value = seen->get()->value;
    if (seen->get()->nodes > 0) {
      EXPECT_GE(value, best);
      best = value;
    }
  });
  seen = &incumbent;
  strategy->think(initial_position(game.machine), Deadline(), incumbent);
  EXPECT_EQ(best, 90);
}

TEST_P(EverySearch, StopsAtItsCapWithoutAClaim) {
  // 20 lamps can't be put out in 9 moves, which few states can't show.
  const auto strategy = this->strategy(",nodes=3000");
  const Choice choice = think(*strategy, initial_position(lamps(20, 0b1101, 9)));
  EXPECT_LE(choice.nodes, 3000 + 512);
  EXPECT_FALSE(choice.exact && choice.value < 100);
}

TEST_P(EverySearch, LooksNoFartherThanItsDepth) {
  DrawnGame game("(roles one) (one 10 (one 20 (one 30 (one 40 (one 50 60)))))");
  // Policies learn until something else stops them.
  const auto strategy =
      this->strategy(GetParam() == "nested" ? ",depth=3,nodes=20000" : ",depth=3");
  const Choice choice = think(*strategy, initial_position(game.machine));
  EXPECT_EQ(choice.value, 30);
  EXPECT_LE(choice.depth, 3u);
  EXPECT_EQ(choice.variation.size(), 3u);
  EXPECT_FALSE(choice.exact);
}

TEST_P(EverySearch, KeepsToItsMemoryAndGivesItBack) {
  gdl::MemoryBudget memory(600'000);
  {
    const auto strategy =
        strategy_of("puzzle:seed=3,nodes=200000,search=" + GetParam(), {1, &memory, nullptr});
    const Choice choice =
        think(*strategy, initial_position(lamps(22, 0b1100100000010000100101, 16)));
    EXPECT_NE(choice.move, gdl::kNoMove);
    EXPECT_LE(memory.used(), memory.limit());
    EXPECT_FALSE(choice.exact && choice.value < 100);
  }
  EXPECT_EQ(memory.used(), 0);
}

TEST_P(EverySearch, ClaimsNothingWhereTheMachineFails) {
  DrawnGame game("(roles one) (one (one 1 (one 2 3)) (one (one 4 90) 5) (one 6 7))");
  const auto machine = std::make_shared<PoorMachine>(game.machine, 3);
  const auto strategy = this->strategy(",nodes=500");
  Position position = initial_position(game.machine);
  position.machine = machine;
  EXPECT_FALSE(think(*strategy, position).exact);
}

TEST_P(EverySearch, StopsWhenAsked) {
  const auto strategy = this->strategy();
  const Deadline deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(50));
  const Choice choice = think(*strategy, initial_position(lamps(24, 0b1, 22)), deadline);
  EXPECT_NE(choice.move, gdl::kNoMove);
}

INSTANTIATE_TEST_SUITE_P(Puzzle, EverySearch,
                         testing::Values("auto", "breadth", "beam", "astar", "ida", "nested"),
                         [](const auto& tested) { return tested.param; });

TEST(Puzzle, ProvesTheBestEndWhereAllStatesWereSeen) {
  for (const char* search : {"auto", "breadth", "astar", "ida"}) {
    DrawnGame game(kMaze);
    const Choice choice = think(game.machine, "puzzle:seed=1,search=" + std::string(search));
    EXPECT_TRUE(choice.exact) << search;
    EXPECT_EQ(choice.value, 80) << search;
  }
}

TEST(Puzzle, ProvesNothingByNarrowBeamsAndPolicies) {
  const auto machine = lamps(8, 0b10000000, 4);  // worth 4, the time
  const auto beam = narrow_beam(4);
  EXPECT_FALSE(think(*beam, initial_position(machine)).exact);
  EXPECT_FALSE(search::think(machine, "puzzle:seed=1,search=nested,nodes=20000").exact);
  EXPECT_TRUE(search::think(machine, "puzzle:seed=1,search=breadth").exact);
}

TEST(Puzzle, DoesNotTakeAnEarlierPositionForAProof) {
  // Without the clock a position is reached early only; the goal of 7 moves needs it late.
  const auto machine = lamps(4, 0b1010, 7);
  const Choice choice = search::think(machine, "puzzle:seed=1,search=breadth");
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 100);
}

TEST(Puzzle, ShowsNoMoveAsBetterThanItsChoice) {
  for (const char* text : {"(roles one) (one 0 0 (one 0 0))", "(roles one) (one 30 10 (one 20 5))",
                           "(roles one) (one 5 100 70)", kMaze}) {
    for (const auto& strategy :
         {strategy_of("puzzle:seed=1"), strategy_of("puzzle:seed=1,search=nested,nodes=2000"),
          narrow_beam(1)}) {
      SCOPED_TRACE(text);
      const DrawnGame game(text);
      const Choice choice = think(*strategy, initial_position(game.machine));
      ASSERT_FALSE(choice.root.empty());
      for (const RootMove& move : choice.root) {
        EXPECT_LE(move.low, move.value);
        EXPECT_LE(move.value, move.high);
        EXPECT_LE(move.value, choice.value);
      }
    }
  }
}

TEST(Puzzle, KeepsToTheSmallerOfTwoCaps) {
  const auto machine = lamps(20, 0b1, 9);  // can't be put out, which takes long to show
  constexpr std::uint64_t kPass = 512;
  const auto states = [&](const std::string& caps) {
    return search::think(machine, "puzzle:seed=3,search=breadth," + caps).nodes;
  };
  EXPECT_LE(states("nodes=3000,playouts=5000"), 3000 + kPass);
  EXPECT_LE(states("nodes=50000,playouts=300"), 3000 + kPass);
  EXPECT_GT(states("nodes=50000"), 3000 + kPass);
  EXPECT_GT(states("playouts=5000"), 3000 + kPass);
}

TEST(Puzzle, FollowsAPlanWithoutSearchingAgain) {
  const auto strategy = strategy_of("puzzle:seed=1");
  Position position = initial_position(lamps(6, 0b101101, 6));
  const Choice first = think(*strategy, position);
  ASSERT_EQ(first.value, 100);
  for (const gdl::MoveId move : first.variation) {
    const Choice choice = think(*strategy, position);
    EXPECT_EQ(choice.move, move);
    EXPECT_TRUE(choice.exact);
    make_move(position, {&move, 1});
    EXPECT_TRUE(test::is_terminal(position) || think(*strategy, position).nodes == 0);
  }
  EXPECT_TRUE(test::is_terminal(position));
}

TEST(Puzzle, FollowsAPlanWhereLegalMovesTakeTooLong) {
  for (const std::string_view name :
       {"puzzle:seed=1", "auto:seed=1,playouts=100", "auto:seed=1,analysis=0"}) {
    SCOPED_TRACE(name);
    const auto strategy = strategy_of(name);
    Position position = initial_position(lamps(6, 0b101101, 6));
    const Choice first = think(*strategy, position);
    ASSERT_EQ(first.value, 100);
    make_move(position, {&first.move, 1});
    position.machine = std::make_shared<SlowMachine>(position.machine, std::chrono::hours(1));
    EXPECT_EQ(think(*strategy, position, Deadline::in(0.01)).move, first.variation[1]);
  }
}

TEST(Puzzle, FollowsAPlanThatMayBeImprovedWhereLegalMovesTakeTooLong) {
  DrawnGame game("(roles one) (one (one 30 (one 10 60)) (one 20 40))");
  const auto strategy = narrow_beam(1, 60);
  Position position = initial_position(game.machine);
  const Choice first = think(*strategy, position);
  ASSERT_FALSE(first.exact);
  ASSERT_GT(first.variation.size(), 1U);
  make_move(position, {&first.move, 1});
  position.machine = std::make_shared<SlowMachine>(position.machine, std::chrono::hours(1));
  const Choice next = think(*strategy, position, Deadline::in(0.01));
  EXPECT_EQ(next.move, first.variation[1]);
  EXPECT_EQ(next.value, first.value);
}

TEST(Puzzle, FindsAnotherPlanWhereTheMatchLeftTheFirst) {
  DrawnGame game("(roles one) (one (one 1 100) (one (one 60 2) 3))");
  const auto strategy = strategy_of("puzzle:seed=1");
  Position position = initial_position(game.machine);
  const Choice first = think(*strategy, position);
  const auto legal = test::legal_moves(position, 0);
  ASSERT_EQ(first.move, legal[0]);
  make_move(position, {&legal[1], 1});
  EXPECT_EQ(think(*strategy, position).value, 60);
  EXPECT_EQ(play_out(*strategy, position), 60);
}

TEST(Puzzle, GoesOnWhereItWasInterrupted) {
  const auto strategy = strategy_of("puzzle:seed=1,search=breadth,nodes=2000000");
  const Position position = initial_position(lamps(14, 0b1, 13));
  Choice choice;
  std::uint64_t before = 0;
  // Longer by and by: what a pass of the machine has not brought in time is lost.
  for (double seconds = 0.002; seconds < 60 && !choice.exact; seconds *= 1.05) {
    choice = think(*strategy, position, Deadline::in(seconds));
    EXPECT_GE(choice.nodes, before);
    before = choice.nodes;
  }
  EXPECT_TRUE(choice.exact);
}

TEST(Puzzle, PlaysTheBestIncompleteScore) {
  // Nothing but 30 and 40 can be reached.
  DrawnGame game("(roles one) (one (one 30 10) (one 20 40))");
  const auto strategy = narrow_beam(1);
  EXPECT_GE(play_out(*strategy, initial_position(game.machine)), 20);
}

TEST(Puzzle, AnEndlessGameIsWorthNothing) {
  const auto machine = std::make_shared<test::NativeMachine>(std::make_shared<test::Dial>());
  const Choice choice = search::think(machine, "puzzle:seed=1,search=breadth");
  EXPECT_EQ(choice.value, 0);
  EXPECT_TRUE(choice.exact);
}

TEST(Puzzle, SameSeedSamePlay) {
  const auto machine = lamps(16, 0b1000000100000001, 14);
  const Choice a = search::think(machine, "puzzle:seed=5,nodes=30000");
  const Choice b = search::think(machine, "puzzle:seed=5,nodes=30000");
  EXPECT_EQ(a.variation, b.variation);
  EXPECT_EQ(a.nodes, b.nodes);
}

TEST(Puzzle, ALowerGoalIsProvedWhereTheRulesLeaveNoHigherOne) {
  // One move is not enough for 20 lamps: the goal is the time, 1.
  const auto game = std::make_shared<Lamps>(20, 0b1101, 1);
  const Choice known = search::think(std::make_shared<test::KnownGoals>(game, std::vector{0, 1}),
                                     "puzzle:search=nested");
  EXPECT_EQ(known.value, 1);
  EXPECT_TRUE(known.exact);
  const Choice open = search::think(std::make_shared<test::KnownGoals>(game, std::vector{0, 100}),
                                    "puzzle:search=nested,nodes=5000");
  EXPECT_EQ(open.value, 1);
  EXPECT_FALSE(open.exact);
}

TEST(Puzzle, PutsIndependentPartsTogether) {
  // 46 million positions, and no move to waste in 60.
  const auto machine = test::fast_machine(test::bundled_rulesheet("three_boards"));
  for (const char* search : {"parts", "auto"}) {
    const auto strategy = strategy_of("puzzle:seed=1,search=" + std::string(search));
    const Choice choice = think(*strategy, initial_position(machine));
    EXPECT_EQ(choice.value, 100) << search;
    EXPECT_EQ(choice.variation.size(), 60u);
    EXPECT_LT(choice.nodes, 200'000u);
    EXPECT_EQ(play_out(*strategy, initial_position(machine)), 100);
  }
}

TEST(Puzzle, ProvesThatIndependentPartsComeToNoMore) {
  std::string rules = test::bundled_rulesheet("three_boards");
  rules.replace(rules.find("(true (step 60))"), 16, "(true (step 59))");
  const Choice choice =
      search::think(test::fast_machine(rules), "puzzle:seed=1,search=parts,nodes=500000");
  EXPECT_EQ(choice.value, 50);
  EXPECT_TRUE(choice.exact);
  EXPECT_LT(choice.nodes, 300'000u);
  const Choice lamps =
      search::think(test::fast_machine(test::fading_lamps(9, 5, 14)), "puzzle:seed=1,search=parts");
  EXPECT_EQ(lamps.value, 0);
  EXPECT_TRUE(lamps.exact);
  EXPECT_LT(lamps.nodes, 10'000u);
  const Choice odd =
      search::think(test::fast_machine(test::dials(1, 4)), "puzzle:seed=1,search=parts");
  EXPECT_EQ(odd.value, 40) << "one dial and a clock: three places up, but not in four moves";
  EXPECT_TRUE(odd.exact);
}

TEST(Puzzle, PutsPartsTogetherWithinItsDepth) {
  const auto machine = test::fast_machine(test::bundled_rulesheet("three_boards"));
  const Choice choice = search::think(machine, "puzzle:seed=1,search=parts,depth=8");
  EXPECT_LT(choice.value, 100) << "it takes 60 moves";
  EXPECT_LE(choice.variation.size(), 8u);
  EXPECT_FALSE(choice.exact);
}

TEST(Puzzle, LeavesPartsTogetherWhereItIsTold) {
  const auto machine = test::fast_machine(test::dials(3, 9));
  const Choice choice = search::think(machine, "puzzle:seed=1,factors=off,search=parts");
  EXPECT_FALSE(choice.exact);
  EXPECT_LT(choice.nodes, 5000u) << "nothing but random plays";
  EXPECT_EQ(search::think(machine, "puzzle:seed=1,factors=off").value, 100);
}

TEST(Puzzle, EstimatesByOpenConditions) {
  const auto machine = test::fast_machine(test::bundled_rulesheet("eight_puzzle"));
  PuzzleSettings settings;
  settings.portfolio.method = puzzle::Method::AStar;
  settings.portfolio.weight = 1;
  settings.portfolio.states = 300'000;
  const Choice choice = think(*make_puzzle(settings, {}), initial_position(machine));
  EXPECT_EQ(choice.value, 100);
  EXPECT_EQ(choice.variation.size(), 20u) << "no estimate is too large with this weight";
}

TEST(Puzzle, TiesAreBrokenByOrderOrByChance) {
  DrawnGame game("(roles one) (one 3 70 (one 70 1) 70 70)");
  std::set<gdl::MoveId> first, any;
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string options = "puzzle:seed=" + std::to_string(seed) + ",ties=";
    first.insert(think(game, options + "first").move);
    any.insert(think(game, options + "random").move);
  }
  EXPECT_EQ(first, std::set<gdl::MoveId>{legal_moves(initial_position(game.machine), 0)[1]});
  EXPECT_EQ(any.size(), 4u);
}

TEST(Puzzle, LeavesGamesOfSeveralRolesAlone) {
  DrawnGame game("(roles max min) (max (min 1 99) 12)");
  const Choice choice = think(game, "puzzle");
  EXPECT_NE(choice.move, gdl::kNoMove);
  EXPECT_FALSE(choice.exact);
}

}  // namespace
}  // namespace ludens::search
