// SPDX-License-Identifier: MIT
// A player with everything around it made by hand: what the tests of its behaviour start from.
#pragma once

#include <gtest/gtest.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "agent/player/player.h"
#include "tests/agent/hands_game.h"
#include "tests/agent/manual_time.h"
#include "tests/agent/strategy_doubles.h"

namespace ludens::agent {

/// What a request got.
struct Got {
  int replies = 0;
  std::string text;
  TimePoint at{};
};
using GotPointer = std::shared_ptr<Got>;

/// The answers to INFO.
inline constexpr const char* kAvailable = "( ( name Ludens ) ( status available ) )";
inline constexpr const char* kIsBusy = "( ( name Ludens ) ( status busy ) )";

/// Two roles in turn, five joint moves; the role in turn takes 1, 2 or 3.
inline constexpr const char* kTurns = R"((
  (role a) (role b) (init (step 1)) (init (control a))
  (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
  (amount 1) (amount 2) (amount 3)
  (<= (legal ?r (Take ?n)) (true (control ?r)) (amount ?n))
  (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
  (<= (next (taken ?r ?n)) (does ?r (take ?n)))
  (<= (next (taken ?r ?n)) (true (taken ?r ?n)))
  (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
  (<= (next (control b)) (true (control a)))
  (<= (next (control a)) (true (control b)))
  (<= terminal (true (step 6)))
  (goal a 70) (goal b 30)))";

class PlayerTest : public testing::Test {
 protected:
  void SetUp() override {
    script->play(quick());
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
    options.log = std::make_shared<spdlog::logger>("test", std::move(sink));
    options.log->set_pattern("%l %v");
    options.seed = 1;
    options.make_strategy = [script = script](const search::StrategySpec&,
                                              const search::Resources& resources) {
      script->memory = resources.memory;
      script->threads = resources.threads;
      return std::make_unique<Double>(script);
    };
  }
  void TearDown() override {
    script->release = true;
    player.reset();
    wait_for([this] { return script->running == 0; });
  }

  void make_player() {
    player.reset();
    player = std::make_unique<Player>(options, time, time);
  }

  static Part part(const std::string& text) {
    auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse(text).tree);
    return {std::move(tree), 0};
  }
  GotPointer send(const Message& message) {
    if (player == nullptr) make_player();
    auto got = std::make_shared<Got>();
    player->handle(message, time.now(),
                   [got, this](std::string text) {
                     ++got->replies;
                     got->text = std::move(text);
                     got->at = time.now();
                   },
                   {peer, peer});
    return got;
  }
  GotPointer start(const std::string& id, const std::string& role, const std::string& rules,
                   int start_clock = 30, int play_clock = 15) {
    return send(Start{id, role, part(rules), start_clock, play_clock});
  }
  GotPointer play(const std::string& id, const std::string& moves) {
    return send(Play{id, part(moves)});
  }
  GotPointer stop(const std::string& id, const std::string& moves) {
    return send(Stop{id, part(moves)});
  }
  GotPointer abort(const std::string& id) { return send(Abort{id}); }
  std::string info() { return send(Info{})->text; }

  /// Runs what is posted until the reply is there.
  std::string wait(const GotPointer& got) {
    EXPECT_TRUE(time.run_until([&] { return got->replies > 0; })) << log.str();
    EXPECT_LE(got->replies, 1);
    return got->text;
  }
  /// Runs what is posted until something outside the I/O thread is so.
  bool until(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + s(60);
    while (std::chrono::steady_clock::now() < end) {
      time.run_posted();
      if (condition()) return true;
      std::this_thread::sleep_for(ms(1));
    }
    return false;
  }
  bool until_logged(const std::string& text) {
    return until([&] { return logged(text); });
  }
  bool logged(const std::string& text) const { return log.str().find(text) != std::string::npos; }
  int times_logged(const std::string& text) const {
    const std::string all = log.str();
    int count = 0;
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  }
  /// A match that waits for its first PLAY.
  void begin_match(const std::string& id, const std::string& role, const std::string& rules,
                   int start_clock = 30, int play_clock = 15) {
    const bool stays = script->behaviour().stays();
    const int calls = script->calls, running = script->running;
    const auto got = start(id, role, rules, start_clock, play_clock);
    if (stays) {
      EXPECT_TRUE(until([&] { return got->replies > 0 || script->calls > calls; })) << log.str();
      if (got->replies == 0) time.advance(std::chrono::seconds(start_clock));
    }
    ASSERT_EQ(wait(got), "ready") << log.str();
    // What is thought between START and the first PLAY must not be taken for the first turn's.
    if (script->made == 0 || options.strategy.options.contains("seconds")) return;
    ASSERT_TRUE(until([&] {
      return script->calls >= calls + 2 || logged("too many abandoned threads");
    })) << log.str();
    ASSERT_TRUE(stays || until([&] { return script->running <= running; })) << log.str();
  }
  /// The match's status; nothing known if there is no match.
  MatchStatus status() const {
    const auto matches = player->matches();
    return matches.empty() ? MatchStatus{} : matches.front();
  }
  /// Role `a` of a match of `kHands` begins, and role `b` at the same address is refused.
  void begin_for_two_roles(const std::string& id) {
    script->play(patient());
    const auto first = start(id, "a", kHands);
    EXPECT_EQ(start(id, "b", kHands)->text, "busy");
    time.advance(s(30));
    EXPECT_EQ(wait(first), "ready");
    script->play(quick());
  }
  /// Plays the turn with this number, from 0, in such a match: the host sends every PLAY twice,
  /// word for word the same, and the same moves are legal always.
  void play_twice(const std::string& id, int turn) {
    const char* moves = turn == 0 ? "nil" : turn < 4 ? "(hold hold)" : "(show hold)";
    const auto one = play(id, moves), other = play(id, moves);
    EXPECT_EQ(wait(one), "show") << turn;
    EXPECT_EQ(wait(other), "show") << turn;
  }
  /// A PLAY whose search runs and has published its choice.
  GotPointer thinking_play(const std::string& id, const std::string& moves) {
    const int calls = script->calls;
    const auto got = play(id, moves);
    EXPECT_TRUE(until([&] { return script->calls > calls; })) << log.str();
    return got;
  }

  static constexpr std::chrono::milliseconds ms(int count) {
    return std::chrono::milliseconds(count);
  }
  static constexpr std::chrono::seconds s(int count) { return std::chrono::seconds(count); }

  ManualTime time;
  std::ostringstream log;
  PlayerOptions options;
  std::string peer;  // whose messages are sent
  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::unique_ptr<Player> player;
};

}  // namespace ludens::agent
