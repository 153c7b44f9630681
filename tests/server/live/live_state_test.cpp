// SPDX-License-Identifier: MIT
#include "server/live/live_state.h"

#include <memory>
#include <sstream>

#include "gdl/interpreter/interpreter.h"
#include "server/game/rulesheet.h"
#include "server/live/plain_progress.h"
#include "tests/server/statistics/results.h"

namespace ludens::server {
namespace {

class Following : public testing::Test {
 protected:
  Following() : position_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rules()))) {
    record_.start_clock = 10;
    record_.play_clock = 5;
  }

  static std::shared_ptr<const gdl::Rules> rules() {
    return read_rulesheet("duel", "(role a) (init x) (legal a m) (goal a 100) (terminal)").rules;
  }

  static StartedMatch started(const MatchResult& result, std::size_t lane) {
    return {.match = result.match,
            .block = result.block,
            .game = 0,
            .players = result.players,
            .lane = lane};
  }

  void advance(int ms) { now_ += std::chrono::milliseconds(ms); }

  LiveState::Clock::time_point now_{};
  TournamentPlan plan_ = demo_plan();
  MatchRecord record_;
  Position position_;
};

TEST_F(Following, KnowsStepsAndClocks) {
  LiveState state([this] { return now_; });
  state.began(plan_, {.matches = 4, .blocks = 2, .concurrency = 2, .done = {}});
  const auto block = two_player_block(0, "duel", "ann", "bob", {100, 50});
  state.match_began(started(block[0], 1), record_, position_);
  advance(300);
  state.match_began(started(block[1], 0), record_, position_);
  record_.moves = {{"m1", "noop"}};
  state.moved(started(block[1], 0), record_, position_);
  advance(200);

  const LiveSnapshot snapshot = state.snapshot();
  EXPECT_EQ(snapshot.title, "demo, round-robin");
  EXPECT_EQ(snapshot.matches_total, 4u);
  EXPECT_EQ(snapshot.matches_done, 0u);
  EXPECT_FALSE(snapshot.left_ms);
  ASSERT_EQ(snapshot.running.size(), 2u);
  EXPECT_EQ(snapshot.running[0].players, (std::vector<std::string>{"bob", "ann"}));
  EXPECT_EQ(snapshot.running[0].step, 1u);
  EXPECT_EQ(snapshot.running[0].last_move, "m1  noop");
  EXPECT_NEAR(snapshot.running[0].waited_ms, 200, 1e-6);
  EXPECT_NEAR(snapshot.running[0].clock_ms, 5000, 1e-6);
  EXPECT_EQ(snapshot.running[1].step, 0u);
  EXPECT_NEAR(snapshot.running[1].waited_ms, 500, 1e-6);
  EXPECT_NEAR(snapshot.running[1].clock_ms, 10'000, 1e-6);
}

TEST_F(Following, CountsResultsAndEstimatesTheTimeLeft) {
  LiveState state([this] { return now_; });
  const auto before = two_player_block(0, "duel", "ann", "bob", {100, 50});
  state.began(plan_, {.matches = 8, .blocks = 4, .concurrency = 1, .done = before});
  EXPECT_EQ(state.snapshot().matches_done, 2u);
  for (const MatchResult& result : two_player_block(1, "duel", "ann", "bob", {100, 100})) {
    state.match_began(started(result, 0), record_, position_);
    advance(3'000);
    state.match_ended(started(result, 0), result);
  }
  const LiveSnapshot snapshot = state.snapshot();
  EXPECT_EQ(snapshot.matches_done, 4u);
  EXPECT_TRUE(snapshot.running.empty());
  EXPECT_NEAR(snapshot.matches_a_minute, 20, 1e-6);  // two in six seconds; earlier runs don't count
  ASSERT_TRUE(snapshot.left_ms);
  EXPECT_NEAR(*snapshot.left_ms, 12'000, 1e-6);  // four of three seconds
  EXPECT_EQ(snapshot.standings.blocks, 2u);
  EXPECT_NEAR(snapshot.standings.players[0].tally.score.mean, 0.875, 1e-12);
}

TEST_F(Following, OfAShardTestsItsOwnBlocks) {
  LiveState state([this] { return now_; });
  plan_.sprt = SprtPlan{};
  const auto done = two_player_block(1, "duel", "ann", "bob", {100, 50});
  state.began(plan_, {.matches = 4,
                      .blocks = 2,
                      .concurrency = 1,
                      .done = done,
                      .shard = {.index = 2, .count = 3}});
  const auto sprt = state.snapshot().standings.sprt;
  ASSERT_TRUE(sprt);
  EXPECT_EQ(sprt->blocks, 1u);
  EXPECT_EQ(sprt->waiting, 0u);
}

TEST_F(Following, ForgetsDroppedMatchesAndKeepsMessages) {
  LiveState state([this] { return now_; });
  state.began(plan_, {.matches = 2, .blocks = 1, .concurrency = 1, .done = {}});
  const auto block = two_player_block(0, "duel", "ann", "bob", {100, 50});
  state.match_began(started(block[0], 0), record_, position_);
  state.match_dropped(started(block[0], 0));
  for (int i = 0; i < 200; ++i) state.warned("warning " + std::to_string(i));
  state.decided("H1 accepted");
  const LiveSnapshot snapshot = state.snapshot();
  EXPECT_TRUE(snapshot.running.empty());
  EXPECT_EQ(snapshot.messages.size(), 100u);
  EXPECT_EQ(snapshot.messages.back(), "H1 accepted");
}

TEST_F(Following, ByLinesTellsOfEachMatch) {
  std::ostringstream out;
  PlainProgress progress(out);
  plan_.seed = 7;
  progress.began(plan_, {.matches = 4, .blocks = 2, .concurrency = 1, .done = {}});
  auto block = two_player_block(0, "duel", "ann", "bob", {100, 50});
  progress.match_ended(started(block[0], 0), block[0]);
  block[1].faults[0] = {.late = 2, .illegal = 1};
  block[1] = aborted(block[1], {"bob"});
  progress.match_ended(started(block[1], 0), block[1]);
  progress.warned("bob is down");
  progress.decided("H0 accepted");
  EXPECT_EQ(out.str(),
            plan_.id() +
                ": 4 matches in 2 blocks\n"
                "1/4 duel, round 1: ann 100, bob 0 in 10 steps, 0.050 s\n"
                "2/4 duel, round 1: bob, ann in 10 steps, 0.050 s; bob 2 late, 1 illegal; "
                "aborted: broken off\n"
                "warning: bob is down\n"
                "H0 accepted\n");
}

}  // namespace
}  // namespace ludens::server
