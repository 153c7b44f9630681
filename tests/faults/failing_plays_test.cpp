// SPDX-License-Identifier: MIT
// The game thread when memory runs out.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/runtime/game_thread.h"
#include "gdl/interpreter/interpreter.h"
#include "tests/agent/hands_game.h"
#include "tests/agent/manual_time.h"
#include "tests/faults/failing_calls.h"
#include "tests/gdl/machine/wrapped_machine.h"

namespace ludens::faults {
namespace {

/// Asks at each question whether it is to stop, as a large game would.
class Polling final : public gdl::WrappedMachine {
 public:
  using WrappedMachine::WrappedMachine;

 private:
  gdl::Status before(Question /*question*/, Context& context) const override {
    const gdl::StopSignal* const stop = context.limits.stop;
    return stop != nullptr && stop->stop_requested() ? gdl::Status::Stopped : gdl::Status::Ok;
  }
};

/// Keeps the newest report.
class Reports final : public agent::GameEvents {
 public:
  void on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules /*rules*/) override {
    EXPECT_EQ(refusal, std::nullopt);
  }
  void on_first_legal(std::size_t /*turn*/, gdl::MoveId /*move*/,
                      std::shared_ptr<const gdl::Vocabulary> /*names*/) override {}
  void on_legal(std::size_t turn, agent::LegalReport report) override {
    newest = turn;
    derived = report.derived;
    legal = report.legal.size();
  }
  void on_position(std::size_t /*turn*/, bool /*terminal*/, search::Position) override {}
  void on_flaws(std::vector<gdl::Flaw> /*flaws*/) override {}
  void on_trouble(std::string what) override { ADD_FAILURE() << what; }

  std::optional<std::size_t> newest;
  bool derived = false;
  std::size_t legal = 0;
};

TEST(FailingMemory, InOnePlayDoesNotKeepTheNextFromItsLegalMoves) {
  agent::ManualTime time;
  const auto line = std::make_shared<agent::Line>(time);
  const auto reports = std::make_shared<Reports>();
  agent::GameThread game(
      agent::MatchMemory(std::size_t{64} << 20),
      [](std::shared_ptr<gdl::Vocabulary> names, const gdl::Limits& limits) {
        return std::make_shared<Polling>(gdl::make_interpreter(std::move(names), limits));
      },
      true, line, reports);
  const auto reported = [&](std::size_t turn) {
    return time.run_until([&] { return reports->newest == turn; });
  };
  game.prepare(agent::part_of(agent::kHands), "a", {});
  ASSERT_TRUE(reported(0));
  std::size_t turn = 0;
  std::uint64_t number = 0;
  for (bool happened = true; happened;) {
    agent::ReportedMoves moves = agent::part_of("( hold show )");
    {
      const FailingCall failing(FailingCall::Kind::New, ++number);
      try {
        game.play(++turn, std::move(moves), std::nullopt, agent::Gap::None);
      } catch (const std::bad_alloc&) {
      }
      happened = failing.happened();
    }
    game.play(++turn, agent::part_of("( hold show )"), std::nullopt, agent::Gap::None);
    ASSERT_TRUE(reported(turn)) << number;
    EXPECT_TRUE(reports->derived) << number;
    EXPECT_EQ(reports->legal, 2U) << number;
  }
  EXPECT_GT(number, 1U) << "nothing failed";
  line->close();
}

}  // namespace
}  // namespace ludens::faults
