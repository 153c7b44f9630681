// SPDX-License-Identifier: MIT
#include "search/auto/auto.h"

#include <gmock/gmock.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/strategy/odd_machines.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

using namespace std::chrono_literals;
using gdl::MoveId;

std::shared_ptr<const gdl::Machine> drawn(std::string text) {
  const auto parsed = TreeMachine::parse(std::move(text));
  EXPECT_TRUE(parsed.has_value());
  return parsed ? *parsed : nullptr;
}

TEST(Auto, TakesAForcedWin) {
  auto strategy = strategy_of("auto:playouts=200,seed=1");
  const Choice choice = think(*strategy, after_marks({0, 3, 1, 4}, 0));
  EXPECT_EQ(choice.move, 2U);
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 100);
  EXPECT_NE(strategy->explanation().find("bounded"), std::string::npos) << strategy->explanation();
}

/// An interface may ask one strategy about all roles. Here one wins by its first move `l`, the
/// other by `r`.
TEST(Auto, DoesNotTakeTheProofsOfOneRoleForThoseOfAnother) {
  const auto machine = machine_of(R"((role a) (role b) (init (step 0)) (hand l) (hand r)
    (<= (legal ?r ?h) (role ?r) (hand ?h))
    (after 0 1) (after 1 2) (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next (chose ?r ?h)) (does ?r ?h) (true (step 0)))
    (<= (next (chose ?r ?h)) (true (chose ?r ?h)))
    (<= terminal (true (step 2)))
    (<= (goal a 100) (true (chose a l))) (<= (goal a 0) (true (chose a r)))
    (<= (goal b 100) (true (chose b r))) (<= (goal b 0) (true (chose b l))))",
                                  "interpreter");
  const auto strategy = strategy_of("auto:playouts=200,seed=1");
  for (const auto& [role, best] : {std::pair(0, "l"), std::pair(1, "r"), std::pair(0, "l")}) {
    const Choice choice =
        think(*strategy, initial_position(machine, static_cast<gdl::RoleIndex>(role)));
    EXPECT_EQ(machine->vocabulary()->move_name(choice.move), best) << role;
    EXPECT_EQ(choice.value, 100) << role;
  }
}

TEST(Auto, AvoidsAForcedLoss) {
  for (int seed = 1; seed <= 3; ++seed) {
    auto strategy = strategy_of("auto:playouts=100,seed=" + std::to_string(seed));
    EXPECT_EQ(think(*strategy, after_marks({0, 4, 1}, 1)).move, 2U);  // blocks
    // Against two corners only an edge draws.
    const Choice choice = think(*strategy, after_marks({0, 4, 8}, 1));
    EXPECT_EQ(choice.move % 2, 1U) << choice.move;
  }
}

/// What other searches prove at once is no reason to end: `mcts` looks for a move that is hard to
/// answer.
TEST(Auto, AProvedDrawOrLossIsNotTheLastWordBeforeTheSearchEnds) {
  const Position draw = after_marks({}, 0), loss = after_marks({0, 1, 4, 5, 2}, 1);
  for (const auto& [position, value, least] :
       {std::tuple(draw, 50, 30'000U), std::tuple(loss, 0, 5U)}) {
    const auto strategy = strategy_of("auto:playouts=300000,seed=1");
    const auto all = publications(*strategy, position);
    ASSERT_TRUE(all.back().last) << strategy->explanation();
    EXPECT_TRUE(all.back().choice.exact);
    EXPECT_EQ(all.back().choice.value, value);
    EXPECT_GE(all.back().choice.iterations, least);
    unsigned waits = 0;
    for (const auto& [choice, last] : all) {
      waits += choice.exact && !last ? 1 : 0;
      EXPECT_TRUE(!last || choice.iterations == all.back().choice.iterations);
    }
    EXPECT_GT(waits, 0U);
  }
}

TEST(Auto, AForcedWinIsTheLastWord) {
  const auto all =
      publications(*strategy_of("auto:playouts=200,seed=1"), after_marks({0, 3, 1, 4}, 0));
  EXPECT_TRUE(all.back().last);
}

TEST(Auto, SaysWhatItTookAndWhy) {
  auto strategy = strategy_of("auto:playouts=100,seed=1");
  think(*strategy, after_marks({4}, 1));
  const std::string text = strategy->explanation();
  EXPECT_NE(text.find("two players, turn-taking, fixed-sum"), std::string::npos) << text;
  EXPECT_NE(text.find("alphabeta"), std::string::npos) << text;
  EXPECT_NE(text.find("mcts"), std::string::npos) << text;
}

TEST(Auto, TheSameSeedMakesTheSameChoice) {
  const Choice a = think(*strategy_of("auto:playouts=150,seed=4"), after_marks({4}, 1));
  const Choice b = think(*strategy_of("auto:playouts=150,seed=4"), after_marks({4}, 1));
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.variation, b.variation);
}

TEST(Auto, FollowsThePlanItFoundForOnePlayer) {
  const auto machine =
      drawn("(roles one) (one (one (one 0 10) (one 20 30)) (one (one 40 90) (one 60 50)))");
  Position position = initial_position(machine);
  auto strategy = strategy_of("auto:playouts=50,seed=1");
  for (int step = 0; step < 3; ++step) {
    const Choice choice = think(*strategy, position);
    EXPECT_EQ(choice.value, 90);
    EXPECT_TRUE(choice.exact);
    EXPECT_EQ(strategy->explanation().find("follows") != std::string::npos, step > 0);
    make_move(position, std::vector{choice.move});
  }
  EXPECT_EQ(goals_of(position)[0], 90);
}

TEST(Auto, FollowsAPlanThatMayBeImprovedWhereLegalMovesTakeTooLong) {
  const auto machine = drawn(
      "(roles one random) (one (one 30 10) (one (one (one 1 2) (one 3 4)) (one (one 5 6) 70)))");
  Position position = initial_position(machine);
  const auto strategy = strategy_of("auto:playouts=1,seed=1,ties=first");
  const Choice first = think(*strategy, position);
  ASSERT_FALSE(first.exact);
  make_move(position, std::span(first.variation).first(2));
  position.machine = std::make_shared<SlowMachine>(machine, std::chrono::hours(1));
  const Choice next = think(*strategy, position, Deadline::in(0.01));
  EXPECT_NE(next.move, gdl::kNoMove);
  EXPECT_EQ(next.value, first.value);
  EXPECT_FALSE(next.exact);
}

TEST(Auto, PlaysForItselfAmongThree) {
  const auto machine =
      drawn("(roles a b c) (a left (c (10 20 60) (40 20 30)) right (b (30 50 0) (90 10 80)))");
  const Choice choice = think(*strategy_of("auto:playouts=50,seed=1"), initial_position(machine));
  EXPECT_EQ(machine->vocabulary()->move_name(choice.move), "right");
  EXPECT_EQ(choice.value, 30);
}

TEST(Auto, WeighsChance) {
  const auto machine = drawn("(roles max random) (max (random 9 16) (random 1 25))");
  const Choice choice = think(*strategy_of("auto:playouts=50,seed=1"), initial_position(machine));
  EXPECT_EQ(machine->vocabulary()->move_name(choice.move), "2");
}

TEST(Auto, PartnersAreNotTakenForEnemies) {
  const auto machine =
      drawn("(roles a b) (a (b (50 60) (10 0)) (b (0 0) (100 100)) (b (60 20) (70 30)))");
  const Choice choice = think(*strategy_of("auto:playouts=400,seed=1"), initial_position(machine));
  EXPECT_EQ(machine->vocabulary()->move_name(choice.move), "2");
}

TEST(Auto, MixesWhereRolesMoveAtOnce) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  const Choice choice = think(*strategy_of("auto:playouts=3000,seed=1"), initial_position(machine));
  EXPECT_NEAR(choice.value, 50, 10);
  for (const RootMove& move : choice.root) EXPECT_GT(move.visits, 300U);
}

/// A match thinks about its first position in the start clock, and again for the move.
TEST(Auto, DrawsFromTheEquilibriumWhereThereIsTime) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(2));
  auto strategy = strategy_of("auto:seed=1");
  for (const double time : {60.0, 5.0}) {
    const Choice choice = think(*strategy, initial_position(machine), Deadline::in(time));
    EXPECT_NEAR(choice.value, 50, 1e-6);
    EXPECT_NE(strategy->explanation().find("the equilibrium of"), std::string::npos)
        << strategy->explanation();
  }
}

/// Notes how long it may think, and finds nothing.
class Hurried final : public Strategy {
 public:
  explicit Hurried(std::vector<double>& given) : given_(given) {}
  [[nodiscard]] std::string_view name() const override { return "hurried"; }
  void think(const Position&, const Deadline& deadline, Incumbent&) override {
    given_.push_back(
        std::chrono::duration<double>(deadline.at() - std::chrono::steady_clock::now()).count());
  }

 private:
  std::vector<double>& given_;
};

std::vector<double> given_to_nash;  // seconds

std::unique_ptr<Strategy> make_hurried_nash(std::string_view name, const OptionTexts&,
                                            const Resources&) {
  if (name == "nash") return std::make_unique<Hurried>(given_to_nash);
  return strategy_of("legal");
}

/// On a machine for one state at a time nothing is compared, however long the match lasts.
TEST(Auto, LooksLongForAnEquilibriumOnlyAtFirst) {
  given_to_nash.clear();
  Position position =
      initial_position(std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(9)));
  const auto strategy = make_auto(*Options::read("auto", kAutoOptions, {}), {}, make_hurried_nash);
  while (!is_terminal(position)) {
    think(*strategy, position, Deadline::in(100'000));
    make_move(position, std::vector<MoveId>{0, 0});
  }
  ASSERT_GT(given_to_nash.size(), 1U);
  EXPECT_GT(given_to_nash[0], 15'000);  // 20 %
  for (std::size_t i = 1; i < given_to_nash.size(); ++i) {
    EXPECT_LT(given_to_nash[i], 6'000) << i;  // 5 %
  }
}

/// Notes that it was asked, and finds nothing.
class Silent final : public Strategy {
 public:
  Silent(std::string_view name, std::vector<std::string>& asked) : name_(name), asked_(asked) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  void think(const Position&, const Deadline&, Incumbent&) override { asked_.push_back(name_); }

 private:
  std::string name_;
  std::vector<std::string>& asked_;
};

std::vector<std::string> strategies_asked;  // in order

std::unique_ptr<Strategy> make_silent(std::string_view name, const OptionTexts&, const Resources&) {
  return std::make_unique<Silent>(name, strategies_asked);
}

std::unique_ptr<Strategy> auto_of_silent_ones() {
  strategies_asked.clear();
  return make_auto(*Options::read("auto", kAutoOptions, {}), {}, make_silent);
}

/// Proves that the last move wins.
class Winning final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "winning"; }
  void think(const Position& position, const Deadline&, Incumbent& incumbent) override {
    strategies_asked.emplace_back(name());
    Choice choice;
    choice.move = legal_moves(position, position.role).back();
    choice.value = 100;
    choice.exact = true;
    choice.root = {{.move = choice.move, .value = 100, .low = 100}};
    incumbent.publish(std::move(choice));
  }
};

std::unique_ptr<Strategy> make_winning_bounded(std::string_view name, const OptionTexts& options,
                                               const Resources& resources) {
  if (name == "bounded") return std::make_unique<Winning>();
  return make_silent(name, options, resources);
}

/// A match thinks about its first position in the start clock, and again for the move.
TEST(Auto, PlaysAWinThatItHasFoundWithoutSearchingAgain) {
  strategies_asked.clear();
  const auto machine = drawn("(roles a b) (a l (b l (0 100) r (a l (0 100) r (100 0))) r (0 100))");
  Position position = initial_position(machine);
  const auto strategy =
      make_auto(*Options::read("auto", kAutoOptions, {}), {}, make_winning_bounded);
  const Choice first = think(*strategy, position, Deadline::in(600));
  EXPECT_THAT(strategies_asked, ::testing::ElementsAre("winning"));
  strategies_asked.clear();
  const Choice again = think(*strategy, position, Deadline::in(600));
  EXPECT_THAT(strategies_asked, ::testing::IsEmpty());
  EXPECT_TRUE(again.is_last());
  EXPECT_EQ(again.move, first.move);
  EXPECT_FALSE(strategy->explanation().empty());
  const MoveId left = legal_moves(position, 0).front();
  make_move(position, std::vector{left, legal_moves(position, 1).front()});
  think(*strategy, position, Deadline::in(600));
  EXPECT_THAT(strategies_asked, ::testing::Not(::testing::IsEmpty())) << "another position";
}

/// Proves of the first move, from call to call, what it is given.
class Scripted final : public Strategy {
 public:
  explicit Scripted(std::vector<double>& to_prove) : to_prove_(to_prove) {}
  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  void think(const Position& position, const Deadline&, Incumbent& incumbent) override {
    Choice choice;
    choice.move = legal_moves(position, position.role).front();
    choice.root = {{.move = choice.move, .low = to_prove_.front()}};
    choice.depth = 1;
    to_prove_.erase(to_prove_.begin());
    incumbent.publish(std::move(choice));
  }

 private:
  std::vector<double>& to_prove_;
};

std::vector<double> to_prove_of_bounded;

std::unique_ptr<Strategy> make_scripted_bounded(std::string_view name, const OptionTexts& options,
                                                const Resources& resources) {
  if (name == "bounded") return std::make_unique<Scripted>(to_prove_of_bounded);
  return make_silent(name, options, resources);
}

/// The share of a move is short: another program may take all of it away.
TEST(Auto, LooksAgainForWhatItsLastMoveWasProvedToKeep) {
  const auto machine = drawn(
      "(roles a b) (* (u l) (* (u l) (60 60) (u r) (70 10) (d l) (10 70) (d r) (20 20)) "
      "(u r) (60 10) (d l) (10 60) (d r) (20 20))");
  for (const auto& [lows, value] : {std::pair(std::vector<double>{60, 0, 60, -1}, 60),
                                    std::pair(std::vector<double>{60, 60, -1, -1}, 60),
                                    std::pair(std::vector<double>{60, 0, 0, -1}, 0),
                                    std::pair(std::vector<double>{0, 0, -1, -1}, 0)}) {
    to_prove_of_bounded = lows;
    Position position = initial_position(machine);
    const auto strategy =
        make_auto(*Options::read("auto", kAutoOptions, {}), {}, make_scripted_bounded);
    const MoveId first = think(*strategy, position, Deadline::in(10'000)).move;
    make_move(position, std::vector{first, legal_moves(position, 1).front()});
    EXPECT_EQ(think(*strategy, position, Deadline::in(10'000)).root.front().low, value);
    EXPECT_EQ(to_prove_of_bounded.front(), -1) << "looks again only for what is missing";
  }
}

/// Two games in which an end of 100 points is found at once, and what is behind the other branch
/// makes another search suit: several sums, or moves at once.
constexpr const char* kSeveralSums =
    "(roles a b) (a left (b (100 0) (0 100)) right (b (b (70 70) (20 80)) (90 10)))";
constexpr const char* kMovesAtOnceLate =
    "(roles a b) (a left (b up (100 0) down (0 100)) right (* (l u) 30 (l d) 70 (r u) 80 (r d) "
    "20))";

/// Requests a stop as soon as the goals of an end are read, like a host or a faster machine.
class StoppingMachine final : public WrappedMachine {
 public:
  StoppingMachine(std::shared_ptr<const gdl::Machine> inner, std::stop_source& stop)
      : WrappedMachine(std::move(inner)), stop_(stop) {}
  gdl::Status goals(Context& context, gdl::StateView state, std::span<int> out) const override {
    const gdl::Status status = WrappedMachine::goals(context, state, out);
    if (out[0] + out[1] > 0) stop_.request_stop();
    return status;
  }

 private:
  gdl::Status before(Question, Context&) const override { return gdl::Status::Ok; }
  std::stop_source& stop_;
};

TEST(Auto, PlansAnewAfterAnInterruption) {
  for (const auto& [text, suits] :
       {std::pair(kSeveralSums, "maxn"), std::pair(kMovesAtOnceLate, "nash")}) {
    const auto machine = drawn(text);
    Position position = initial_position(machine);
    std::stop_source stop;
    position.machine = std::make_shared<StoppingMachine>(machine, stop);
    const auto strategy = auto_of_silent_ones();
    think(*strategy, position, Deadline::in(600, stop.get_token()));
    EXPECT_THAT(strategies_asked, ::testing::IsEmpty()) << "one playout says nothing";
    position.machine = machine;
    think(*strategy, position, Deadline::in(600));
    EXPECT_THAT(strategies_asked, ::testing::Contains(suits)) << strategy->explanation();
    EXPECT_THAT(strategies_asked, ::testing::Not(::testing::Contains("alphabeta")));
  }
}

/// Is stopped at the first goals, so that no playout ends, and later where the sum is above 100.
class PartialMachine final : public WrappedMachine {
 public:
  using WrappedMachine::WrappedMachine;
  gdl::Status goals(Context& context, gdl::StateView state, std::span<int> out) const override {
    const gdl::Status status = WrappedMachine::goals(context, state, out);
    return calls_++ == 0 || out[0] + out[1] > 100 ? gdl::Status::Stopped : status;
  }

 private:
  gdl::Status before(Question, Context&) const override { return gdl::Status::Ok; }
  mutable int calls_ = 0;
};

TEST(Auto, ForgetsWhatItFoundUnderAnotherPlan) {
  const auto machine = drawn(kSeveralSums);
  Position position = initial_position(machine);
  position.machine = std::make_shared<PartialMachine>(machine);
  const auto strategy = auto_of_silent_ones();
  think(*strategy, position, Deadline::in(600));
  ASSERT_THAT(strategies_asked, ::testing::Contains("alphabeta")) << "while all sums are 100";
  strategies_asked.clear();
  position.machine = machine;
  think(*strategy, position, Deadline::in(600));
  EXPECT_THAT(strategies_asked, ::testing::Contains("maxn")) << strategy->explanation();
  EXPECT_THAT(strategies_asked, ::testing::Not(::testing::Contains("alphabeta")));
}

/// After `l` the goals have one sum, and not after `r`: what holds there says nothing of the rest.
TEST(Auto, PlansAnewForAPositionThatDoesNotFollowFromThePlannedOne) {
  const auto machine =
      drawn("(roles a b) (a l (a u (60 40) v (50 50)) r (b good (100 100) bad (0 0)))");
  const Position root = initial_position(machine);
  Position after_l = root;
  make_move(after_l, std::vector{legal_moves(root, 0)[0], legal_moves(root, 1)[0]});
  const auto strategy = strategy_of("auto:playouts=50,seed=1");
  EXPECT_EQ(think(*strategy, after_l).value, 60);
  const Choice choice = think(*strategy, root);
  EXPECT_EQ(machine->vocabulary()->move_name(choice.move), "r") << strategy->explanation();
  for (const RootMove& move : choice.root) EXPECT_GT(move.high, 0) << move.move;
}

TEST(Auto, SolvesAGameOfFewStates) {
  const auto strategy = strategy_of("auto");
  const Choice choice =
      think(*strategy, initial_position(bundled("nim", "sliced"), 1), Deadline::in(20));
  EXPECT_THAT(strategy->explanation(), ::testing::HasSubstr("states are solved"));
  EXPECT_EQ(choice.move,
            think(*strategy_of("retrograde"), initial_position(bundled("nim", "sliced"), 1)).move);
}

/// As in a match, where the machine is replaced by faster ones in the first thinking time.
TEST(Auto, LearnsAfterAnInterruption) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  std::string said;
  // However slow the processor is, there is a time that is enough to learn something.
  for (double time = 2; time < 400 && said.find("values of") == std::string::npos; time *= 2) {
    auto strategy = strategy_of("auto:seed=1");
    std::stop_source stop;
    Incumbent incumbent([&](bool) { stop.request_stop(); });
    strategy->think(position, Deadline::in(60, stop.get_token()), incumbent);
    EXPECT_EQ(strategy->explanation().find("values of"), std::string::npos);
    think(*strategy, position, Deadline::in(time));
    said = strategy->explanation();
  }
  EXPECT_THAT(said, ::testing::HasSubstr("values of"));
}

/// Two roles count steps in turn; who is to move may take any of two ways.
std::string long_game(int steps) {
  std::string text = R"((role first) (role second) (init (step 0)) (init (control first))
    (other first second) (other second first) (init (side left))
    (<= (legal ?r left) (true (control ?r))) (<= (legal ?r right) (true (control ?r)))
    (<= (legal ?r noop) (true (control ?o)) (other ?r ?o))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
    (<= (next (side ?s)) (does ?r ?s) (distinct ?s noop))
    (<= (goal first 100) (true (side left))) (<= (goal first 0) (true (side right)))
    (<= (goal second 0) (true (side left))) (<= (goal second 100) (true (side right))))";
  for (int step = 0; step < steps; ++step) {
    text += "(after " + std::to_string(step) + " " + std::to_string(step + 1) + ")";
  }
  return text + "(<= terminal (true (step " + std::to_string(steps) + ")))";
}

std::unique_ptr<Strategy> make_first_moves(std::string_view, const OptionTexts&, const Resources&) {
  return strategy_of("legal");
}

/// The matches of a race from the middle of a game are longer than none.
TEST(Auto, KnowsHowLongAGameIsWhenItComesInLate) {
  Position position = initial_position(machine_of(long_game(200), "sliced"));
  for (int ply = 0; ply < 100; ++ply) {
    make_move(position, std::vector{legal_moves(position, 0)[0], legal_moves(position, 1)[0]});
  }
  const OptionTexts given{{"learn", "0"}, {"policy", "0"}};
  const auto strategy =
      make_auto(*Options::read("auto", kAutoOptions, given), {}, make_first_moves);
  think(*strategy, position, Deadline::in(10));
  EXPECT_THAT(strategy->explanation(), ::testing::HasSubstr("ms a move"));
  EXPECT_THAT(strategy->explanation(), ::testing::Not(::testing::HasSubstr("100 ms a move")));
}

/// A race while pondering has a share of the time of a move, which a long start clock is not.
TEST(Auto, DoesNotTakeTheStartClockForTheTimeOfAMove) {
  Position position = initial_position(machine_of(long_game(10), "sliced"));
  const OptionTexts given{{"learn", "1"}, {"policy", "0"}, {"race", "60"}, {"more", "1"}};
  std::stop_source never;
  std::string raced;
  // However slow the processor is, there is a start clock that is enough to learn something.
  for (double clock = 100; clock < 10000 && raced.empty(); clock *= 2) {
    const auto strategy =
        make_auto(*Options::read("auto", kAutoOptions, given), {}, make_first_moves);
    position.at_start = true;
    think(*strategy, position, Deadline::in(clock));
    for (int turn = 0; turn < 1000 && raced.empty(); ++turn) {
      think(*strategy, position, Deadline(never.get_token()));
      if (strategy->explanation().find("ms a move") == std::string::npos) continue;
      raced = strategy->explanation();
    }
  }
  EXPECT_THAT(raced, ::testing::HasSubstr("ms a move"));
  EXPECT_THAT(raced, ::testing::Not(::testing::HasSubstr(" 100 ms a move")));
}

TEST(Auto, KeepsTheDeadline) {
  auto strategy = strategy_of("auto:seed=1");
  const auto begin = std::chrono::steady_clock::now();
  const Choice choice = think(*strategy, after_marks({}, 0), Deadline(begin + 100ms));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
  EXPECT_LT(choice.move, TicTacToe::kWait);
}

TEST(Auto, AChoiceStandsBeforeTheAnalysis) {
  // Listens to the publications: the first comes before anything was counted.
  std::vector<std::uint64_t> nodes;
  Incumbent* watched = nullptr;
  Incumbent incumbent([&](bool) { nodes.push_back(watched->get()->nodes); });
  watched = &incumbent;
  strategy_of("auto:playouts=50,seed=1")->think(after_marks({}, 0), Deadline(), incumbent);
  ASSERT_GT(nodes.size(), 1U);
  EXPECT_EQ(nodes.front(), 0U);
}

TEST(Auto, AnotherMatchIsAnotherGame) {
  auto strategy = strategy_of("auto:playouts=50,seed=1");
  think(*strategy, after_marks({}, 0));
  const auto machine = drawn("(roles one) (one 10 60)");
  const Choice choice = think(*strategy, initial_position(machine));
  EXPECT_EQ(choice.value, 60);
  EXPECT_NE(strategy->explanation().find("one player"), std::string::npos)
      << strategy->explanation();
}

}  // namespace
}  // namespace ludens::search::test
