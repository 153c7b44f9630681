// SPDX-License-Identifier: MIT
// The cases themselves: a player that does everything right passes, and each fault is found.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stop_token>

#include "server/compliance/case.h"
#include "server/compliance/expectation.h"
#include "tests/protocol/service_thread.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

TestGame coin() {
  const std::string text =
      "( ( role x ) ( init a ) ( legal x heads ) ( legal x tails ) ( <= ( next a ) ( does x heads "
      ") )"
      " ( <= terminal ( not ( true a ) ) ) ( goal x 50 ) )";
  auto tree = std::make_shared<const gdl::SyntaxTree>(gdl::parse(text).tree);
  return {text, gdl::normalise(std::move(tree), 0).rules, 0};
}

/// What an idle player that takes no match says.
std::string idle(const agent::Message& message) {
  if (std::holds_alternative<agent::Info>(message)) return "( ( name Idle ) ( status available ) )";
  if (std::holds_alternative<agent::Preview>(message)) return "ready";
  return "busy";
}

HttpLimits quick() {
  HttpLimits limits;
  limits.request = 1s;
  return limits;
}

class Compliance : public testing::Test {
 protected:
  std::map<std::string, Outcome> run(ServiceThread& player, std::span<const Case> cases,
                                     const std::string& only = {}) {
    Peer peer({"127.0.0.1", player.port()});
    Trial trial{peer, game_, 3, 3, "test"};
    std::map<std::string, Outcome> outcomes;
    for (const Case& each : cases) {
      if (only.empty() || only == each.name) {
        outcomes.emplace(std::string(each.name), each.run(trial));
      }
    }
    return outcomes;
  }

  /// The verdict on one case of a player that answers so.
  Outcome::Verdict verdict(const ServiceThread::Answer& answer, const std::string& name) {
    ServiceThread player(answer, quick());
    const auto outcomes = run(player, compliance_cases(), name);
    EXPECT_EQ(outcomes.size(), 1u) << name;
    return outcomes.begin()->second.verdict;
  }

  const TestGame game_ = coin();
};

TEST_F(Compliance, NamesAreUniqueAndSaySomething) {
  std::set<std::string_view> names;
  for (const Case& each : compliance_cases()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.what.empty()) << each.name;
  }
}

TEST_F(Compliance, TheServicePassesAllThatNeedsNoMatch) {
  HttpLimits limits;
  limits.request = 5s;  // for requests a byte at a time on a busy machine
  ServiceThread player(idle, limits);
  for (const auto cases : {framing_cases(), bad_input_cases(), message_cases()}) {
    for (const auto& [name, outcome] : run(player, cases)) {
      EXPECT_EQ(outcome.verdict, Outcome::Verdict::Passed)
          << name << ": " << outcome.why << "; sent " << outcome.sent << "; got " << outcome.got;
    }
  }
}

TEST_F(Compliance, FaultsAreFound) {
  const auto always = [](std::string text) {
    return [text = std::move(text)](const agent::Message&) { return text; };
  };
  EXPECT_EQ(verdict(always("ready"), "info"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always("( ( name X ) )"), "ggp-base"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always("( ( name X )\n( status busy ) )"), "reply-frame"),
            Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always("( ( name X ) ( status available ) )"), "unknown-play"),
            Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always("( ( name X ) ( status available ) )"), "preview"),
            Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always("done"), "length-in-characters"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(always(""), "start"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(idle, "ping"), Outcome::Verdict::Passed);
}

TEST_F(Compliance, AMoveThatIsNotLegalOrNotSpelledAsSentIsFound) {
  const auto playing = [](std::string move) {
    return [move = std::move(move)](const agent::Message& message) -> std::string {
      if (std::holds_alternative<agent::Start>(message)) return "ready";
      if (std::holds_alternative<agent::Play>(message)) return move;
      if (std::holds_alternative<agent::Abort>(message)) return "aborted";
      return idle(message);
    };
  };
  EXPECT_EQ(verdict(playing("heads"), "first-play"), Outcome::Verdict::Passed);
  EXPECT_EQ(verdict(playing("heads"), "start-again"), Outcome::Verdict::Passed);
  EXPECT_EQ(verdict(playing("edge"), "first-play"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(playing("( heads )"), "first-play"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(playing("HEADS"), "first-play"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(playing("nil"), "first-play"), Outcome::Verdict::Failed);
  EXPECT_EQ(verdict(playing("heads"), "info-in-match"),
            Outcome::Verdict::Failed);                                     // says available
  EXPECT_EQ(verdict(playing("heads"), "stop"), Outcome::Verdict::Failed);  // says busy
  EXPECT_EQ(verdict(playing("heads"), "second-match"), Outcome::Verdict::Skipped);  // takes several
  EXPECT_EQ(verdict(playing("heads"), "info-in-search"),
            Outcome::Verdict::Skipped);  // never thinks
}

TEST_F(Compliance, MatchesWithHiddenInformationAreTried) {
  const auto seeking = [](std::string move) {
    return [move = std::move(move)](const agent::Message& message) -> std::string {
      if (std::holds_alternative<agent::Start>(message)) return "ready";
      if (std::holds_alternative<agent::Play>(message)) return move;
      if (std::holds_alternative<agent::Stop>(message)) return "done";
      return idle(message);
    };
  };
  for (const Case& each : hidden_cases()) {
    const std::string name(each.name);
    const bool shouts = name == "gdl2-percepts";  // all in capitals
    const std::string move = shouts ? "( LOOK LEFT )" : "( look left )";
    EXPECT_EQ(verdict(seeking(move), name), Outcome::Verdict::Passed) << name;
    EXPECT_EQ(verdict(idle, name), Outcome::Verdict::Skipped) << name << ": it takes no match";
    if (name == "gdl2-start" || name == "gdl2-stop") continue;
    EXPECT_EQ(verdict(seeking("( look up )"), name), Outcome::Verdict::Failed) << name;
  }
}

TEST_F(Compliance, WhatPlayersAreToldOfAHiddenGameIsWhatTheyPerceive) {
  std::vector<std::pair<std::optional<std::size_t>, std::string>> told;
  const auto answer = [&](const agent::Message& message) -> std::string {
    const auto* play = std::get_if<agent::Play>(&message);
    if (play == nullptr) return std::holds_alternative<agent::Start>(message) ? "ready" : "busy";
    const auto number = play->own ? std::optional(play->own->number) : std::nullopt;
    told.emplace_back(number, play->moves.tree->print(play->moves.node));
    return "( look left )";
  };
  EXPECT_EQ(verdict(answer, "gdl2-turns"), Outcome::Verdict::Passed);
  ASSERT_EQ(told.size(), 4u);
  for (std::size_t turn = 0; turn < told.size(); ++turn) {
    EXPECT_EQ(told[turn].first, turn);
    EXPECT_EQ(told[turn].second, turn == 0 ? "NIL" : "( ( found left ) )");
  }
}

TEST_F(Compliance, ABusyPlayerIsSkippedNotFailed) {
  const auto busy = [](const agent::Message& message) -> std::string {
    if (std::holds_alternative<agent::Info>(message)) return "( ( name X ) ( status busy ) )";
    return "busy";
  };
  EXPECT_EQ(verdict(busy, "info"), Outcome::Verdict::Skipped);
  EXPECT_EQ(verdict(busy, "start"), Outcome::Verdict::Skipped);
  EXPECT_EQ(verdict(busy, "abort-in-search"), Outcome::Verdict::Skipped);
}

TEST_F(Compliance, AMatchOfOneMoveHasNoLaterPlay) {
  int plays = 0;
  const auto tails = [&](const agent::Message& message) -> std::string {
    if (std::holds_alternative<agent::Start>(message)) return "ready";
    if (std::holds_alternative<agent::Play>(message)) return plays++ == 0 ? "tails" : "nil";
    return idle(message);
  };
  for (const char* name : {"later-play-again", "illegal-joint-move"}) {
    plays = 0;
    EXPECT_EQ(verdict(tails, name), Outcome::Verdict::Skipped) << name;
  }
}

TEST_F(Compliance, NoCaseLeavesAPlayerInAMatchThatItMayHaveBegun) {
  for (const char* name : {"start", "unknown-role"}) {
    std::vector<std::string> begun, aborted;
    const auto answer = [&](const agent::Message& message) -> std::string {
      if (const auto* start = std::get_if<agent::Start>(&message)) {
        begun.push_back(start->match_id);
        return "okay";
      }
      if (const auto* abort = std::get_if<agent::Abort>(&message)) {
        aborted.push_back(abort->match_id);
      }
      return idle(message);
    };
    EXPECT_EQ(verdict(answer, name), Outcome::Verdict::Failed) << name;
    EXPECT_EQ(begun.size(), 1u) << name;
    EXPECT_EQ(aborted, begun) << name;
  }
}

TEST_F(Compliance, APlayerIsToldTheMoveThatItMadeAfterImpossiblePercepts) {
  std::vector<std::string> told;
  const auto answer = [&](const agent::Message& message) -> std::string {
    const auto* play = std::get_if<agent::Play>(&message);
    if (play == nullptr) return std::holds_alternative<agent::Start>(message) ? "ready" : "busy";
    if (play->own) told.push_back(play->own->move.tree->print(play->own->move.node));
    return told.size() == 2 ? "( look right )" : "( look left )";
  };
  EXPECT_EQ(verdict(answer, "gdl2-impossible"), Outcome::Verdict::Passed);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1], "( look left )");
  EXPECT_EQ(told[2], "( look right )");
}

TEST_F(Compliance, AMatchThatIsInterruptedIsAborted) {
  std::stop_source stop;
  std::atomic<int> aborts{0};
  ServiceThread player(
      [&](const agent::Message& message) -> std::string {
        if (std::holds_alternative<agent::Abort>(message)) ++aborts;
        if (std::holds_alternative<agent::Start>(message)) stop.request_stop();
        return std::holds_alternative<agent::Start>(message) ? "ready" : idle(message);
      },
      quick());
  Peer peer({"127.0.0.1", player.port()}, stop.get_token());
  Trial trial{peer, game_, 3, 3, "test"};
  for (const Case& each : match_cases()) {
    if (each.name == "moves") (void)each.run(trial);
  }
  EXPECT_EQ(aborts, 1);
}

TEST_F(Compliance, NobodyThereFailsWithAReason) {
  Peer peer({"127.0.0.1", 1});
  Trial trial{peer, game_, 3, 3, "test"};
  const Outcome outcome = framing_cases()[0].run(trial);
  EXPECT_EQ(outcome.verdict, Outcome::Verdict::Failed);
  EXPECT_FALSE(outcome.got.empty());
}

}  // namespace
}  // namespace ludens::server
