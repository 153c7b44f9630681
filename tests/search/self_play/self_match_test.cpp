// SPDX-License-Identifier: MIT
#include "search/self_play/self_match.h"

#include "search/mcts/playout_contestant.h"
#include "tests/search/games/bundled.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

std::unique_ptr<Strategy> searching(int playouts) {
  return strategy_of("mcts:policy=uniform,seed=1,playouts=" + std::to_string(playouts));
}

TEST(SelfMatch, PlaysBothSeats) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline never;
  SelfMatch match(start, never, nullptr, 1);
  ASSERT_TRUE(match.possible());
  mcts::PlayoutContestant strong(machine, searching(4'000)), weak(machine, searching(1));
  Score score;
  for (int i = 0; i < 10; ++i) {
    const auto share = match.play_pair(strong, weak);
    ASSERT_TRUE(share.has_value());
    score.add(*share);
  }
  EXPECT_GT(score.mean(), 0.6);
  EXPECT_EQ(score.pairs, 10U);
  EXPECT_GT(score.standard_error(), 0.0);
}

/// Always makes the same move.
class Stubborn final : public Contestant {
 public:
  Stubborn(const Position& position, std::string_view move)
      : move_(position.machine->vocabulary()->find_move(move).value()) {}
  std::optional<gdl::MoveId> choose(const Position& /*position*/,
                                    const Deadline& /*end*/) override {
    return move_;
  }

 private:
  gdl::MoveId move_;
};

TEST(SelfMatch, AsksBothWhereTheyMoveAtOnce) {
  const Position start = initial_position(bundled("rock_paper_scissors", "sliced"));
  const Deadline never;
  SelfMatch match(start, never, nullptr, 1);
  Stubborn rock(start, "( show rock )"), scissors(start, "( show scissors )");
  // Ten points a round, two rounds by chance: what those bring is the same for both.
  EXPECT_DOUBLE_EQ(match.play_pair(rock, scissors).value_or(0), 0.8);
  EXPECT_DOUBLE_EQ(match.play_pair(scissors, rock).value_or(0), 0.2);
}

/// Finds no move in its time.
class Late final : public Contestant {
 public:
  std::optional<gdl::MoveId> choose(const Position& /*position*/,
                                    const Deadline& /*end*/) override {
    ++asked;
    return std::nullopt;
  }
  int asked = 0;
};

TEST(SelfMatch, GoesOnWithARandomMoveWhereNoneIsFoundInTime) {
  const Position start = initial_position(bundled("rock_paper_scissors", "sliced"));
  const Deadline never;
  SelfMatch match(start, never, nullptr, 1);
  Late late;
  Stubborn rock(start, "( show rock )");
  EXPECT_TRUE(match.play_pair(late, rock).has_value());
  EXPECT_GE(late.asked, 2);
}

/// Plays at random, and checks what it gets.
class Listener final : public Contestant {
 public:
  explicit Listener(const Position& position) : context_(position.machine->make_context()) {}
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& /*end*/) override {
    const gdl::Machine& machine = *position.machine;
    const std::size_t roles = machine.role_count();
    EXPECT_TRUE(position.known.has_value());
    EXPECT_EQ(position.known->size() * roles, position.history.size());
    gdl::State state;
    EXPECT_EQ(machine.initial(*context_, state), gdl::Status::Ok);
    for (std::size_t turn = 0; turn < position.known->size(); ++turn) {
      const auto joint = std::span(position.history).subspan(turn * roles, roles);
      KnownTurn truth{.own = joint[position.role]};
      EXPECT_EQ(machine.percepts(*context_, state, joint, position.role, truth.percepts),
                gdl::Status::Ok);
      EXPECT_EQ((*position.known)[turn], truth);
      gdl::State next;
      EXPECT_EQ(machine.next(*context_, state, joint, next), gdl::Status::Ok);
      state = next;
    }
    ++asked;
    std::vector<gdl::MoveId> legal;
    EXPECT_EQ(machine.legal(*context_, position.state, position.role, legal), gdl::Status::Ok);
    return legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
  }
  int asked = 0;

 private:
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::Rng rng_{5};
};

TEST(SelfMatch, TellsWhatTheRolesKnowWhereInformationIsHidden) {
  for (const char* game : {"phantom_tic_tac_toe", "kuhn_poker"}) {
    Position start = initial_position(bundled(game, "sliced"));
    start.known.emplace();
    const Deadline never;
    SelfMatch match(start, never, nullptr, 1);
    ASSERT_TRUE(match.possible());
    Listener one(start), other(start);
    for (int pair = 0; pair < 5; ++pair) {
      const auto share = match.play_pair(one, other);
      ASSERT_TRUE(share.has_value());
      EXPECT_GE(*share, 0);
      EXPECT_LE(*share, 1);
    }
    EXPECT_GT(one.asked, 0) << game;
    EXPECT_GT(other.asked, 0) << game;
  }
}

/// Goals that both have say nothing of who plays better.
TEST(SelfMatch, ComparesGoals) {
  const auto machine = hidden::tests::machine_of_text(
      "(role a) (role b) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(legal a help) (legal a harm) (legal b help) (legal b harm)"
      "(<= (sees ?r (round ?n)) (role ?r) (true (round ?n)))"
      "(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))"
      "(<= (next (harmed ?r)) (true (harmed ?r))) (<= (next (harmed b)) (does a harm))"
      "(<= (next (harmed a)) (does b harm)) (<= terminal (true (round 3)))"
      "(<= (goal ?r 90) (role ?r) (not (true (harmed ?r))))"
      "(<= (goal ?r 80) (role ?r) (true (harmed ?r)))",
      "sliced");
  Position start = initial_position(machine);
  Stubborn harm(start, "harm");
  const Deadline never;
  for (const bool hidden : {false, true}) {
    if (hidden) start.known.emplace();
    SelfMatch match(start, never, nullptr, 1);
    EXPECT_DOUBLE_EQ(match.play_pair(harm, harm).value_or(0), 0.5) << "80 for both";
  }
}

TEST(TimedContestant, CountsIterationsOfSearchesThatMakeThem) {
  const Position start = initial_position(bundled("tic_tac_toe", "sliced"));
  TimedContestant playouts(searching(90), Seconds{60});
  EXPECT_EQ(playouts.iterations_per_legal_move(), std::nullopt) << "no move yet";
  ASSERT_TRUE(playouts.choose(start, Deadline()).has_value());
  EXPECT_GT(playouts.iterations_per_legal_move().value_or(0), 1);
  TimedContestant without_time(strategy_of("legal"), Seconds{60});
  ASSERT_TRUE(without_time.choose(start, Deadline()).has_value());
  EXPECT_EQ(without_time.iterations_per_legal_move(), 0) << "as if it had had no time";
  TimedContestant depth_first(strategy_of("alphabeta:depth=2"), Seconds{60});
  ASSERT_TRUE(depth_first.choose(start, Deadline()).has_value());
  EXPECT_EQ(depth_first.iterations_per_legal_move(), std::nullopt);
}

TEST(SelfMatch, EndsWhenItIsStopped) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  const Position start = initial_position(machine);
  const Deadline now(std::chrono::steady_clock::now());
  SelfMatch match(start, now, nullptr, 1);
  mcts::PlayoutContestant one(machine, searching(100)), other(machine, searching(100));
  EXPECT_EQ(match.play_pair(one, other), std::nullopt);
  EXPECT_EQ(mcts::search_rate(machine, start, *searching(1'000), now), std::nullopt);
}

}  // namespace
}  // namespace ludens::search::test
