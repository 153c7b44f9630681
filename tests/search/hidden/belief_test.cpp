// SPDX-License-Identifier: MIT
// Beliefs against the histories found by trying everything.
#include "search/hidden/belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "gdl/machine/agreement.h"
#include "search/strategy/stopping.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/hidden/brute_force.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/hidden/random_game.h"

namespace ludens::search::hidden {
namespace {

using tests::brute_force;
using tests::HiddenMatch;
using tests::weighed;

const Deadline kNever;

/// `random` hides a number below 1000 and shows it two turns later, one digit a turn before that.
constexpr const char* kSafe = R"((role guest) (role random) (init (step 1))
  (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
  (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
  (<= (legal random (hide ?a ?b ?c)) (true (step 1)) (digit ?a) (digit ?b) (digit ?c))
  (<= (legal random noop) (not (true (step 1))))
  (legal guest wait)
  (<= (next (code ?a ?b ?c)) (does random (hide ?a ?b ?c)))
  (<= (next (code ?a ?b ?c)) (true (code ?a ?b ?c)))
  (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
  (<= (sees guest (first ?a)) (true (step 3)) (true (code ?a ?b ?c)))
  (<= (sees guest (all ?a ?b ?c)) (true (step 4)) (true (code ?a ?b ?c)))
  (<= terminal (true (step 6))) (goal guest 50) (goal random 50))";

/// Each turn the walker goes left or right and the watcher hears nothing; after twelve of them it
/// is told where the walker stands, twelve steps to the right, and where it went: two paths in
/// 4096.
constexpr const char* kWalk = R"((role watcher) (role walker) (init (step 0)) (init (at 0))
  (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
  (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)
  (legal watcher wait) (legal walker left) (legal walker right)
  (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
  (<= (next (at ?n)) (does walker right) (true (at ?m)) (succ ?m ?n))
  (<= (next (at ?n)) (does walker left) (true (at ?n)))
  (<= (sees watcher (stands ?n)) (true (step 12)) (true (at ?n)))
  (<= terminal (true (step 14))) (goal watcher 50) (goal walker 50))";

Belief belief_of(const std::shared_ptr<const gdl::Machine>& machine, const HiddenMatch& match,
                 gdl::RoleIndex role, const BeliefOptions& options = {}) {
  Belief belief(machine, role, options);
  EXPECT_EQ(belief.follow(match.known[role], kNever), gdl::Status::Ok);
  return belief;
}

// --- All histories -------------------------------------------------------------------------------

struct Played {
  const char* game;
  std::size_t turns;
};
void PrintTo(const Played& played, std::ostream* out) {
  *out << played.game;
}

class ExactBelief : public testing::TestWithParam<Played> {};
INSTANTIATE_TEST_SUITE_P(Games, ExactBelief,
                         testing::Values(Played{"kuhn_poker", 9}, Played{"leduc_poker", 9},
                                         Played{"liars_dice", 5}, Played{"montyhall", 9},
                                         Played{"meier", 4}, Played{"mastermind2x3", 9},
                                         Played{"blindtictactoe", 2}, Played{"pennies", 9}),
                         [](const auto& parameter) { return std::string(parameter.param.game); });

TEST_P(ExactBelief, IsWhatTryingEverythingFinds) {
  const auto vocabulary = tests::vocabulary_of(GetParam().game);
  if (vocabulary == nullptr) GTEST_SKIP() << "there is no ../shared/gdl2/rules";
  gdl::Rng rng(5);
  for (const char* name : {"interpreter", "sliced"}) {
    const auto machine = tests::machine_of(vocabulary, name);
    for (int matches = 0; matches < 3; ++matches) {
      HiddenMatch match(machine);
      std::vector<Belief> beliefs;
      for (gdl::RoleIndex r = 0; r < match.known.size(); ++r) {
        beliefs.emplace_back(machine, r, BeliefOptions{.most = 10'000});
      }
      for (std::size_t turn = 0; turn < GetParam().turns && !match.over; ++turn) {
        match.make(match.random_moves(rng));
        if (match.over) break;
        for (auto& belief : beliefs) {
          const auto& known = match.known[belief.role()];
          ASSERT_EQ(belief.advance(known.back(), kNever), gdl::Status::Ok);
          EXPECT_TRUE(belief.exact());
          EXPECT_EQ(belief.turns(), turn + 1);
          tests::expect_same(weighed(belief), brute_force(*machine, belief.role(), known));
        }
      }
    }
  }
}

TEST(Belief, BeforeTheFirstTurnIsTheInitialState) {
  const auto machine = tests::machine_of_text(kSafe, "sliced");
  Belief belief(machine, 0);
  EXPECT_TRUE(belief.empty());
  ASSERT_EQ(belief.follow({}, kNever), gdl::Status::Ok);
  ASSERT_EQ(belief.size(), 1u);
  EXPECT_TRUE(belief.exact());
  EXPECT_FALSE(belief.empty());
  EXPECT_EQ(belief.state(0), gdl::StateView(HiddenMatch(machine).state));
  EXPECT_TRUE(belief.history(0).empty());
  EXPECT_EQ(belief.legal(0, 0).size(), 1u);
  EXPECT_EQ(belief.legal(0, 1).size(), 1000u);
  EXPECT_EQ(belief.weight(0), 1);
}

TEST(Belief, StatesAreThoseOfItsHistories) {
  const auto vocabulary = tests::vocabulary_of("liars_dice");
  const auto machine = tests::machine_of(vocabulary, "sliced");
  HiddenMatch match(machine);
  match.play({"noop", "noop", "( throw 3 4 )"});
  match.play({"( bid one 3 )", "noop", "noop"});
  const Belief belief = belief_of(machine, match, 1);
  ASSERT_EQ(belief.size(), 6u);
  for (std::size_t i = 0; i < belief.size(); ++i) {
    HiddenMatch other(machine);
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const auto joint = belief.history(i).subspan(turn * 3, 3);
      other.make({joint.begin(), joint.end()});
    }
    EXPECT_EQ(belief.state(i), gdl::StateView(other.state));
    for (gdl::RoleIndex r = 0; r < 3; ++r) {
      EXPECT_TRUE(std::ranges::equal(belief.legal(i, r), other.legal[r]));
    }
    for (std::size_t turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(other.known[1][turn].percepts, match.known[1][turn].percepts);
    }
  }
}

/// A match that has not ended shows that the game has not; one that has, that it has.
TEST(Belief, KnowsWhetherTheMatchIsOver) {
  const auto machine = tests::machine_of_text(R"((role a) (role b) (init fresh) (legal a wait)
    (legal b stop) (legal b go) (<= (next ended) (does b stop)) (<= (next gone) (does b go))
    (<= terminal (true ended)) (goal a 50) (goal b 50) (sees b nothing))",
                                              "interpreter");
  HiddenMatch match(machine);
  match.play({"wait", "go"});
  for (const MatchPhase end : {MatchPhase::GoesOn, MatchPhase::IsOver}) {
    Belief belief(machine, 0);
    ASSERT_EQ(belief.advance(match.known[0][0], kNever, end), gdl::Status::Ok);
    ASSERT_EQ(belief.size(), 1u);
    EXPECT_EQ(belief.history(0)[1], match.move(end == MatchPhase::GoesOn ? "go" : "stop"));
    EXPECT_EQ(belief.legal(0, 0).empty(), end == MatchPhase::IsOver);
  }
}

TEST(Belief, FollowsWhatIsKnownAndBeginsAnewWhereThatIsAnother) {
  const auto machine = tests::machine_of_text(kSafe, "sliced");
  HiddenMatch one(machine), other(machine);
  one.play({"wait", "( hide 1 2 3 )"});
  other.play({"wait", "( hide 4 5 6 )"});
  for (int turn = 0; turn < 2; ++turn) {
    one.play({"wait", "noop"});
    other.play({"wait", "noop"});
  }
  Belief belief(machine, 0);
  ASSERT_EQ(belief.follow(std::span(one.known[0]).first(2), kNever), gdl::Status::Ok);
  EXPECT_EQ(belief.size(), 1000u);
  ASSERT_EQ(belief.follow(one.known[0], kNever), gdl::Status::Ok);
  EXPECT_EQ(belief.size(), 100u);
  ASSERT_EQ(belief.follow(other.known[0], kNever), gdl::Status::Ok);
  ASSERT_EQ(belief.size(), 100u);
  EXPECT_EQ(machine->vocabulary()->move_name(belief.history(0)[1]).substr(0, 8), "( hide 4");
  ASSERT_EQ(belief.follow(std::span(one.known[0]).first(1), kNever), gdl::Status::Ok);
  EXPECT_EQ(belief.size(), 1000u);
  EXPECT_EQ(belief.turns(), 1u);
}

TEST(Belief, GoesOnWithAnotherMachine) {
  const auto vocabulary = tests::vocabulary_of("leduc_poker");
  const auto slow = tests::machine_of(vocabulary, "interpreter");
  const auto fast = tests::machine_of(vocabulary, "sliced");
  gdl::Rng rng(3);
  HiddenMatch match(slow);
  Belief belief(slow, 0);
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == 2) {
      ASSERT_EQ(belief.change_machine(fast, kNever), gdl::Status::Ok);
      EXPECT_EQ(belief.machine(), fast);
    }
    match.make(match.random_moves(rng));
    ASSERT_EQ(belief.advance(match.known[0].back(), kNever), gdl::Status::Ok);
    tests::expect_same(weighed(belief), brute_force(*slow, 0, match.known[0]));
  }
  const Belief direct = belief_of(fast, match, 0);
  ASSERT_EQ(direct.size(), belief.size());
  for (std::size_t i = 0; i < direct.size(); ++i) EXPECT_EQ(direct.state(i), belief.state(i));
  Belief fresh(slow, 0);
  ASSERT_EQ(fresh.change_machine(fast, kNever), gdl::Status::Ok);
  ASSERT_EQ(fresh.follow({}, kNever), gdl::Status::Ok);
  EXPECT_EQ(fresh.state(0), gdl::StateView(HiddenMatch(fast).state));
  ASSERT_EQ(fresh.change_machine(slow, kNever), gdl::Status::Ok);
  EXPECT_EQ(fresh.state(0), gdl::StateView(HiddenMatch(slow).state));
}

// --- Samples -------------------------------------------------------------------------------------

/// The probability of each first digit, of one sample after the other.
TEST(SampledBelief, WeighsAsAllHistoriesDo) {
  const auto machine = tests::machine_of_text(kSafe, "sliced");
  HiddenMatch match(machine);
  match.play({"wait", "( hide 1 2 3 )"});
  match.play({"wait", "noop"});
  std::map<char, double> mean;
  constexpr int kSamples = 40;
  constexpr std::size_t kMost = 100;
  for (int seed = 1; seed <= kSamples; ++seed) {
    const Belief belief =
        belief_of(machine, match, 0, {.most = kMost, .seed = static_cast<std::uint64_t>(seed)});
    EXPECT_FALSE(belief.exact());
    EXPECT_LE(belief.size(), kMost);
    double sum = 0;
    for (const auto& [history, weight] : weighed(belief)) {
      mean[machine->vocabulary()->move_name(history[1])[7]] += weight / kSamples;
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  ASSERT_EQ(mean.size(), 10u);
  for (const auto& [digit, weight] : mean) EXPECT_NEAR(weight, 0.1, 0.025) << digit;
}

TEST(SampledBelief, KnowsWhetherMoreFitThanAreKept) {
  const auto safe = tests::machine_of_text(kSafe, "sliced");
  HiddenMatch match(safe);
  match.play({"wait", "( hide 1 2 3 )"});
  for (const std::size_t most : {100, 999, 1000}) {
    const Belief belief = belief_of(safe, match, 0, {.most = most});
    EXPECT_EQ(belief.overflows(), most < 1000) << most;
    EXPECT_EQ(belief.exact(), most == 1000) << most;
  }
  const auto numbers = tests::machine_of_text(tests::two_numbers(80), "sliced");
  HiddenMatch seen(numbers);
  seen.play({"wait", "( pick 7 )", "( deal 9 )"});
  const Belief belief = belief_of(numbers, seen, 0, {.most = 1});
  EXPECT_EQ(belief.size(), 1u);
  EXPECT_FALSE(belief.overflows());
}

/// Leduc poker with few histories kept: how likely each card of the other one is.
TEST(SampledBelief, AgreesWithTheExactOneInLeducPoker) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  gdl::Rng rng(11);
  HiddenMatch match(machine);
  for (int turn = 0; turn < 3; ++turn) match.make(match.random_moves(rng));
  ASSERT_FALSE(match.over);
  const auto exact = weighed(belief_of(machine, match, 0));
  ASSERT_GT(exact.size(), 3u);
  tests::Weighed mean;
  constexpr int kSamples = 400;
  for (int seed = 1; seed <= kSamples; ++seed) {
    const BeliefOptions few{.most = 3, .seed = static_cast<std::uint64_t>(seed)};
    for (const auto& [history, weight] : weighed(belief_of(machine, match, 0, few))) {
      EXPECT_TRUE(exact.contains(history));
      mean[history] += weight / kSamples;
    }
  }
  for (const auto& [history, weight] : exact) EXPECT_NEAR(mean[history], weight, 0.12);
}

TEST(SampledBelief, IsTheSameWithTheSameSeed) {
  const auto machine = tests::machine_of_text(kSafe, "sliced");
  HiddenMatch match(machine);
  for (int turn = 0; turn < 3; ++turn) match.play({"wait", turn == 0 ? "( hide 1 2 3 )" : "noop"});
  const BeliefOptions few{.most = 50, .seed = 3}, others{.most = 50, .seed = 4};
  EXPECT_EQ(weighed(belief_of(machine, match, 0, few)), weighed(belief_of(machine, match, 0, few)));
  EXPECT_NE(weighed(belief_of(machine, match, 0, few)),
            weighed(belief_of(machine, match, 0, others)));
}

/// Four of a thousand numbers are followed, and then a percept names another one.
TEST(SampledBelief, ThatDiesOutIsRevived) {
  for (const char* name : {"interpreter", "sliced"}) {
    const auto machine = tests::machine_of_text(kSafe, name);
    HiddenMatch match(machine);
    Belief belief(machine, 0, {.most = 4, .seed = 9});
    for (int turn = 0; turn < 4; ++turn) {
      match.play({"wait", turn == 0 ? "( hide 8 4 7 )" : "noop"});
      ASSERT_EQ(belief.advance(match.known[0].back(), kNever), gdl::Status::Ok);
      ASSERT_FALSE(belief.empty());
    }
    ASSERT_EQ(belief.size(), 1u);
    EXPECT_TRUE(belief.exact());
    EXPECT_EQ(belief.history(0)[1], match.move("( hide 8 4 7 )"));
    EXPECT_EQ(belief.state(0), gdl::StateView(match.state));
  }
}

TEST(SampledBelief, FindsThePathsThatAreLeft) {
  const auto machine = tests::machine_of_text(kWalk, "sliced");
  HiddenMatch match(machine);
  Belief belief(machine, 0, {.most = 16, .seed = 2});
  for (int turn = 0; turn < 13; ++turn) {
    match.play({"wait", "right"});
    ASSERT_EQ(belief.advance(match.known[0].back(), kNever), gdl::Status::Ok);
  }
  ASSERT_EQ(belief.size(), 2u);  // the last step is not known
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t turn = 0; turn < 12; ++turn) {
      EXPECT_EQ(belief.history(i)[2 * turn + 1], match.move("right"));
    }
    EXPECT_NEAR(belief.weight(i), 0.5, 1e-9);
  }
}

TEST(Belief, DrawsByWeight) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  gdl::Rng rng(11);
  HiddenMatch match(machine);
  for (int turn = 0; turn < 3; ++turn) match.make(match.random_moves(rng));
  const Belief belief = belief_of(machine, match, 0);
  std::vector<int> drawn(belief.size());
  constexpr int kDraws = 20'000;
  for (int n = 0; n < kDraws; ++n) ++drawn[belief.draw(rng)];
  for (std::size_t i = 0; i < belief.size(); ++i) {
    EXPECT_NEAR(drawn[i], kDraws * belief.weight(i), 5 * std::sqrt(kDraws * belief.weight(i)) + 1);
  }
}

// --- What can't be, and what ends early ----------------------------------------------------------

TEST(Belief, IsEmptyWhereTheRulesAllowNothingThatFits) {
  const auto machine = tests::machine_of_text(kSafe, "sliced");
  HiddenMatch match(machine);
  for (int turn = 0; turn < 4; ++turn) match.play({"wait", turn == 0 ? "( hide 8 4 7 )" : "noop"});
  const gdl::PerceptId first_8 = match.percept("( first 8 )");
  for (const std::size_t most : {std::size_t{4096}, std::size_t{4}}) {
    Belief belief(machine, 0, {.most = most, .seed = 9});
    for (int turn = 0; turn < 3; ++turn) {
      ASSERT_EQ(belief.advance(match.known[0][turn], kNever), gdl::Status::Ok);
    }
    ASSERT_EQ(belief.advance({match.known[0][3].own, {first_8}}, kNever), gdl::Status::Ok);
    EXPECT_TRUE(belief.empty()) << most;
    EXPECT_TRUE(belief.exact());
    EXPECT_EQ(belief.size(), 0u);
    EXPECT_EQ(belief.advance(match.known[0][3], kNever), gdl::Status::Ok);
    EXPECT_TRUE(belief.empty());
    ASSERT_EQ(belief.follow(match.known[0], kNever), gdl::Status::Ok);  // something else is known
    EXPECT_FALSE(belief.empty());
  }
}

TEST(Belief, IsEmptyWhereTheOwnMoveWasNotLegal) {
  const auto machine = tests::machine_of_text(kSafe, "interpreter");
  const HiddenMatch match(machine);
  Belief belief(machine, 0);
  ASSERT_EQ(belief.advance({match.move("( hide 8 4 7 )"), {}}, kNever), gdl::Status::Ok);
  EXPECT_TRUE(belief.empty());
}

TEST(Belief, IsWhatItWasWhereItWasStopped) {
  for (const char* name : {"interpreter", "sliced"}) {
    const auto machine = tests::machine_of_text(kSafe, name);
    HiddenMatch match(machine);
    match.play({"wait", "( hide 8 4 7 )"});
    match.play({"wait", "noop"});
    for (const std::size_t most : {std::size_t{4096}, std::size_t{4}}) {
      Belief belief(machine, 0, {.most = most});
      ASSERT_EQ(belief.advance(match.known[0][0], kNever), gdl::Status::Ok);
      const auto before = weighed(belief);
      const gdl::tests::StopAfter now(0);
      EXPECT_EQ(belief.advance(match.known[0][1], now), gdl::Status::Stopped) << name;
      EXPECT_EQ(weighed(belief), before);
      EXPECT_EQ(belief.turns(), 1u);
      EXPECT_EQ(belief.advance(match.known[0][1], kNever), gdl::Status::Ok);
      EXPECT_EQ(belief.turns(), 2u);
      EXPECT_EQ(belief.follow(std::span(match.known[0]).first(1), now), gdl::Status::Stopped);
      EXPECT_EQ(belief.follow(match.known[0], kNever), gdl::Status::Ok);
      EXPECT_EQ(belief.turns(), 2u);
    }
  }
}

TEST(Belief, KeepsFewerHistoriesWhereThereIsLittleMemory) {
  const auto machine = tests::machine_of_text(kSafe, "interpreter");
  HiddenMatch match(machine);
  match.play({"wait", "( hide 8 4 7 )"});
  gdl::MemoryBudget memory(std::size_t{8} << 20);
  std::size_t all = 0;
  {
    const Belief belief = belief_of(machine, match, 0, {.memory = &memory});
    EXPECT_EQ(belief.size(), 1000u);
    all = memory.used();
    EXPECT_GT(all, 1000 * 2 * sizeof(gdl::MoveId));
  }
  EXPECT_EQ(memory.used(), 0u);
  ASSERT_TRUE(memory.reserve(memory.limit() - all / 2));  // room for half of them
  const std::size_t others = memory.used();
  {
    Belief belief(machine, 0, {.memory = &memory});
    const auto status = belief.follow(match.known[0], kNever);
    if (status == gdl::Status::Ok) {
      EXPECT_FALSE(belief.exact());
      EXPECT_LT(belief.size(), 1000u);
      EXPECT_GT(belief.size(), 10u);
    } else {
      EXPECT_EQ(status, gdl::Status::OverBudget);  // the machine itself found no room
    }
    EXPECT_LE(memory.used(), memory.limit());
  }
  EXPECT_EQ(memory.used(), others);
}

// --- Drawn games ---------------------------------------------------------------------------------

/// Every machine, all histories, and a sample that is often too small.
TEST(RandomGames, ExactBeliefSampledBeliefAndMachinesAgree) {
  std::size_t largest = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = tests::RandomGame(seed).text();
    const auto vocabulary =
        std::make_shared<gdl::Vocabulary>(gdl::read_rules(text).normalised.rules);
    std::vector<std::shared_ptr<const gdl::Machine>> machines;
    std::vector<const gdl::Machine*> others;
    for (const char* name : {"interpreter", "scalar", "sliced"}) {
      machines.push_back(tests::machine_of(vocabulary, name));
      others.push_back(machines.back().get());
    }
    gdl::Rng rng(seed);
    const auto agreement =
        gdl::compare_machines(*others.front(), std::span(others).subspan(1), {.playouts = 3}, rng);
    ASSERT_EQ(agreement.differences, std::vector<std::string>()) << text;
    HiddenMatch match(machines.front());
    while (!match.over) {
      for (gdl::RoleIndex role = 0; role < 2; ++role) {
        const auto expected = brute_force(*machines.front(), role, match.known[role]);
        largest = std::max(largest, expected.size());
        for (const auto& machine : machines) {
          const Belief exact = belief_of(machine, match, role);
          ASSERT_TRUE(exact.exact());
          tests::expect_same(weighed(exact), expected);
          const Belief few = belief_of(machine, match, role, {.most = 5, .seed = seed});
          ASSERT_FALSE(few.empty()) << text;
          ASSERT_LE(few.size(), 5u);
          for (const auto& [history, weight] : weighed(few)) {
            ASSERT_TRUE(expected.contains(history)) << text;
          }
          if (few.exact()) tests::expect_same(weighed(few), expected);
        }
      }
      if (HasFatalFailure()) FAIL() << text;
      match.make(match.random_moves(rng));
    }
  }
  EXPECT_GT(largest, 50u);  // else nothing was hidden
}

}  // namespace
}  // namespace ludens::search::hidden
