// SPDX-License-Identifier: MIT
// The steps by which a belief grows: filters, enumeration, samples, the search for what fits.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "search/hidden/belief.h"
#include "search/hidden/continuations.h"
#include "search/hidden/fitting_search.h"
#include "search/hidden/known_hash.h"
#include "search/strategy/stopping.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/hidden/brute_force.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/hidden/random_game.h"

namespace ludens::search::hidden {
namespace {

/// `random` draws one of eight lots; the reader is told whether it is odd, the writer hears
/// nothing. Lot 8 ends the game.
constexpr const char* kLots = R"((role reader) (role writer) (role random)
  (lot 1) (lot 2) (lot 3) (lot 4) (lot 5) (lot 6) (lot 7) (lot 8) (odd 1) (odd 3) (odd 5) (odd 7)
  (init fresh)
  (<= (legal random (draw ?n)) (lot ?n))
  (legal reader wait) (legal writer a) (legal writer b)
  (<= (sees reader odd) (does random (draw ?n)) (odd ?n))
  (<= (next (lot_was ?n)) (does random (draw ?n)))
  (<= (next wrote_a) (does writer a))
  (<= terminal (true (lot_was 8)))
  (goal reader 50) (goal random 50)
  (<= (goal writer 100) (true wrote_a)) (<= (goal writer 0) (not (true wrote_a))))";

class FittingHistories : public testing::Test {
 protected:
  FittingHistories() {
    EXPECT_EQ(begin_histories(*machine_, *context_, beginning_), gdl::Status::Ok);
  }
  [[nodiscard]] KnownTurn turn(bool odd) const {
    KnownTurn turn{.own = match_.move("wait")};
    if (odd) turn.percepts.push_back(percept_);
    return turn;
  }

  std::shared_ptr<const gdl::Machine> machine_ = tests::machine_of_text(kLots, "sliced");
  std::unique_ptr<gdl::Machine::Context> context_ = machine_->make_context();
  tests::HiddenMatch match_{machine_};
  gdl::PerceptId percept_ = match_.percept("odd");
  TurnFilter filter_{*machine_, *context_, 0};
  Histories beginning_;
  gdl::Rng rng_{3};
};

TEST_F(FittingHistories, BeginWithTheInitialState) {
  ASSERT_EQ(beginning_.size(), 1u);
  EXPECT_EQ(beginning_.turns, 0u);
  EXPECT_EQ(beginning_.legal(0, 2).size(), 8u);
  EXPECT_EQ(beginning_.choices_of_others(0, 0), 16);
  EXPECT_EQ(beginning_.choices_of_others(0, 1), 8);
  EXPECT_EQ(beginning_.known_by(0, 0), kNothingKnown);
  EXPECT_EQ(joint_moves(beginning_, 0, match_.move("wait")), 16);
  EXPECT_EQ(joint_moves(beginning_, 0, match_.move("a")), 0);
  EXPECT_GT(beginning_.bytes(), 0u);
}

TEST_F(FittingHistories, AreFilteredByPerceptsAndByWhetherTheMatchGoesOn) {
  Proposals proposals;
  for (const auto lot : beginning_.legal(0, 2)) {
    proposals.from.push_back(0);
    for (const auto move : {match_.move("wait"), match_.move("a"), lot}) {
      proposals.joints.push_back(move);
    }
    proposals.weights.push_back(static_cast<double>(lot));
  }
  struct Case {
    bool odd;
    MatchPhase match;
    std::size_t fitting;
  };
  for (const Case& c : {Case{true, MatchPhase::GoesOn, 4}, Case{false, MatchPhase::GoesOn, 3},
                        Case{false, MatchPhase::IsOver, 1}, Case{true, MatchPhase::IsOver, 0}}) {
    Histories out{.roles = 3, .turns = 1};
    std::vector<std::size_t> kept;
    ASSERT_EQ(filter_.run(beginning_, proposals, turn(c.odd), c.match, out, kept), gdl::Status::Ok);
    ASSERT_EQ(out.size(), c.fitting);
    ASSERT_EQ(kept.size(), c.fitting);
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(out.history(i)[2], proposals.joints[kept[i] * 3 + 2]);
      EXPECT_EQ(out.weights[i], proposals.weights[kept[i]]);
      EXPECT_NEAR(out.chances[i], std::log(1.0 / 16), 1e-12);
      EXPECT_EQ(out.legal(i, 0).empty(), c.match == MatchPhase::IsOver);
    }
  }
  // What the roles know: the reader the parity, the writer its own move alone.
  Histories odd{.roles = 3, .turns = 1}, even = odd;
  std::vector<std::size_t> kept;
  ASSERT_EQ(filter_.run(beginning_, proposals, turn(true), MatchPhase::GoesOn, odd, kept),
            gdl::Status::Ok);
  ASSERT_EQ(filter_.run(beginning_, proposals, turn(false), MatchPhase::GoesOn, even, kept),
            gdl::Status::Ok);
  EXPECT_EQ(odd.known_by(0, 0), odd.known_by(1, 0));
  EXPECT_NE(odd.known_by(0, 0), even.known_by(0, 0));
  EXPECT_EQ(odd.known_by(0, 1), even.known_by(0, 1));
  EXPECT_NE(odd.known_by(0, 2), odd.known_by(1, 2));
}

TEST_F(FittingHistories, AreEnumeratedUpToALimit) {
  const Continued all = enumerate(beginning_, 0, turn(true), MatchPhase::GoesOn, 8, filter_);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.histories.size(), 8u);  // 4 lots, 2 moves of the writer
  for (const double weight : all.histories.weights) EXPECT_NEAR(weight, 1.0 / 16, 1e-12);
  EXPECT_FALSE(enumerate(beginning_, 0, turn(true), MatchPhase::GoesOn, 7, filter_).complete);
  const Continued none =
      enumerate(beginning_, 0, {match_.move("a"), {}}, MatchPhase::GoesOn, 8, filter_);
  EXPECT_TRUE(none.complete);
  EXPECT_EQ(none.histories.size(), 0u);
}

TEST_F(FittingHistories, AreSampledAsOftenAsTheyAreLikely) {
  constexpr std::size_t kDrawn = 4000;
  const Continued some =
      sample(beginning_, 0, turn(true), MatchPhase::GoesOn, kDrawn, 100 * kDrawn, filter_, rng_);
  EXPECT_EQ(some.status, gdl::Status::Ok);
  ASSERT_EQ(some.histories.size(), 8u);  // each once, however often it was drawn
  const double sum =
      std::accumulate(some.histories.weights.begin(), some.histories.weights.end(), 0.0);
  EXPECT_GE(sum, kDrawn);
  for (const double weight : some.histories.weights) EXPECT_NEAR(weight / sum, 1.0 / 8, 0.02);
  const Continued few =
      sample(beginning_, 0, turn(true), MatchPhase::GoesOn, 5, 500, filter_, rng_);
  EXPECT_LE(few.histories.size(), 10u);
  const Continued none =
      sample(beginning_, 0, turn(true), MatchPhase::IsOver, 10, 200, filter_, rng_);
  EXPECT_EQ(none.histories.size(), 0u);
  EXPECT_EQ(none.status, gdl::Status::Ok);
}

/// Weights of the histories before count: of two, one is nine times as likely.
TEST_F(FittingHistories, AreSampledBehindHistoriesByTheirWeights) {
  Histories before = enumerate(beginning_, 0, turn(true), MatchPhase::GoesOn, 8, filter_).histories;
  for (double& weight : before.weights) weight = 0;
  before.weights[2] = 0.9;
  before.weights[5] = 0.1;
  const Continued after =
      sample(before, 0, turn(false), MatchPhase::GoesOn, 4000, 100'000, filter_, rng_);
  double first = 0, sum = 0;
  for (std::size_t i = 0; i < after.histories.size(); ++i) {
    const auto past = after.histories.history(i).first(3);
    const bool from_first = std::ranges::equal(past, before.history(2));
    EXPECT_TRUE(from_first || std::ranges::equal(past, before.history(5)));
    sum += after.histories.weights[i];
    if (from_first) first += after.histories.weights[i];
  }
  EXPECT_NEAR(first / sum, 0.9, 0.02);
}

TEST_F(FittingHistories, AreStoppedWithAStatus) {
  const gdl::tests::StopAfter now(0);
  context_->limits.stop = &now;
  EXPECT_EQ(enumerate(beginning_, 0, turn(true), MatchPhase::GoesOn, 8, filter_).status,
            gdl::Status::Stopped);
  EXPECT_EQ(sample(beginning_, 0, turn(true), MatchPhase::GoesOn, 8, 80, filter_, rng_).status,
            gdl::Status::Stopped);
  const std::vector<KnownTurn> turns{turn(true)};
  const auto outcome =
      FittingSearch(turns, MatchPhase::GoesOn, 0, filter_, rng_).run(beginning_, {8, 8});
  EXPECT_EQ(outcome.status, gdl::Status::Stopped);
  EXPECT_FALSE(outcome.exhausted);
}

TEST_F(FittingHistories, AreFoundFromTheInitialState) {
  const std::vector<KnownTurn> turns{turn(true), turn(false), turn(false)};
  const auto outcome =
      FittingSearch(turns, MatchPhase::IsOver, 0, filter_, rng_).run(beginning_, {1000, 1000});
  EXPECT_EQ(outcome.status, gdl::Status::Ok);
  EXPECT_TRUE(outcome.exhausted);
  EXPECT_TRUE(outcome.merged);  // the state shows only the last turn
  ASSERT_EQ(outcome.found.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(outcome.found.history(i)[8], match_.move("( draw 8 )"));
    EXPECT_NEAR(outcome.found.weights[i], 1, 1e-9);
  }
  const auto few = FittingSearch(std::span(turns).first(2), MatchPhase::GoesOn, 0, filter_, rng_)
                       .run(beginning_, {1, 1000});
  EXPECT_GE(few.found.size(), 1u);
  const std::vector<KnownTurn> impossible{turn(true), {match_.move("a"), {}}};
  const auto none =
      FittingSearch(impossible, MatchPhase::GoesOn, 0, filter_, rng_).run(beginning_, {1000, 1000});
  EXPECT_TRUE(none.exhausted);
  EXPECT_EQ(none.found.size(), 0u);
}

/// Of random games: what the search finds fits, and it finds a history for each state there is.
TEST(FittingSearch, FindsAllStatesThatTryingEverythingFinds) {
  for (std::uint64_t seed = 101; seed <= 130; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = tests::machine_of_text(tests::RandomGame(seed).text(), "sliced");
    const auto context = machine->make_context();
    gdl::Rng rng(seed);
    tests::HiddenMatch match(machine);
    for (int turn = 0; turn < 3 && !match.over; ++turn) match.make(match.random_moves(rng));
    if (match.over) continue;
    for (gdl::RoleIndex role = 0; role < 2; ++role) {
      Histories beginning;
      ASSERT_EQ(begin_histories(*machine, *context, beginning), gdl::Status::Ok);
      TurnFilter filter(*machine, *context, role);
      const auto outcome = FittingSearch(match.known[role], MatchPhase::GoesOn, role, filter, rng)
                               .run(std::move(beginning), {100'000, 100'000});
      ASSERT_TRUE(outcome.exhausted);
      const auto expected = tests::brute_force(*machine, role, match.known[role]);
      std::set<std::vector<std::uint64_t>> states, found;
      for (const auto& [history, weight] : expected) {
        tests::HiddenMatch other(machine);
        for (std::size_t at = 0; at < history.size(); at += 3) {
          const auto first = history.begin() + static_cast<std::ptrdiff_t>(at);
          other.make({first, first + 3});
        }
        const auto words = gdl::StateView(other.state).words();
        states.emplace(words.begin(), words.end());
      }
      for (std::size_t i = 0; i < outcome.found.size(); ++i) {
        const auto history = outcome.found.history(i);
        EXPECT_TRUE(expected.contains({history.begin(), history.end()}));
        const auto words = outcome.found.states[i].words();
        found.emplace(words.begin(), words.end());
      }
      EXPECT_EQ(found, states);
      EXPECT_EQ(outcome.found.size(), found.size());
    }
  }
}

}  // namespace
}  // namespace ludens::search::hidden
