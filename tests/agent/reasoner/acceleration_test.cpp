// SPDX-License-Identifier: MIT
#include "agent/reasoner/acceleration.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/memory/limits.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "tests/gdl/machine/jumps.h"

namespace ludens::agent {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr const char* kLadder = R"((role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
  (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y)) (<= (legal a stay) (true (at ?x)))
  (<= (next (at ?y)) (does a (go ?y))) (<= (next (at ?x)) (does a stay) (true (at ?x)))
  (<= terminal (true (at 4))) (goal a 100))";

constexpr const char* kEndless = R"((role a) (init (n zero)) (legal a go)
  (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n one))) (goal a 0))";

std::shared_ptr<const gdl::Machine> interpreter(const char* text) {
  auto rules = gdl::read_rules(text).normalised.rules;
  return gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(std::move(rules)));
}

/// What a strategy was given: the machine, the state as text, and whether this is START.
struct Seen {
  std::string machine, state;
  bool at_start = false;
};

/// Notes what it is given, and thinks until `enough` says so or it is asked to stop.
class Recorder final : public search::Strategy {
 public:
  using Enough = std::function<bool(const search::Position&)>;
  Recorder(std::vector<Seen>& seen, Enough enough) : seen_(seen), enough_(std::move(enough)) {}
  [[nodiscard]] std::string_view name() const override { return "recorder"; }
  void think(const search::Position& position, const search::Deadline& deadline,
             search::Incumbent&) override {
    const auto context = position.machine->make_context();
    seen_.push_back({std::string(position.machine->name()),
                     position.machine->print(*context, position.state), position.at_start});
    while (!enough_(position) && !deadline.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  std::vector<Seen>& seen_;
  Enough enough_;
};

bool on_network(const search::Position& position) {
  return position.machine->name() == "sliced";
}
bool at_once(const search::Position&) {
  return true;
}

/// The position after the move `( go 2 )`.
search::Position climbed(const std::shared_ptr<const gdl::Machine>& machine) {
  const auto context = machine->make_context();
  gdl::State initial;
  EXPECT_EQ(machine->initial(*context, initial), gdl::Status::Ok);
  std::vector<gdl::MoveId> legal;
  EXPECT_EQ(machine->legal(*context, initial, 0, legal), gdl::Status::Ok);
  const gdl::MoveId go[] = {machine->vocabulary()->find_move("( go 2 )").value()};
  search::Position position{machine, {}, 0, {go[0]}};
  EXPECT_EQ(machine->next(*context, initial, go, position.state), gdl::Status::Ok);
  return position;
}

search::Deadline soon() {
  return search::Deadline(steady_clock::now() + seconds(20));
}

TEST(Acceleration, MovesTheSearchToTheNetworkWhenItIsReady) {
  std::vector<Seen> seen;
  const auto strategy =
      accelerate(std::make_unique<Recorder>(seen, on_network), {"recorder", {}}, nullptr);
  search::Incumbent incumbent;
  strategy->think(climbed(interpreter(kLadder)), soon(), incumbent);
  ASSERT_GE(seen.size(), 1u);
  EXPECT_EQ(seen.back().machine, "sliced");
  for (const Seen& s : seen) EXPECT_EQ(s.state, "( ( at 2 ) )");  // the same position on both
  EXPECT_NE(strategy->explanation().find("on the sliced machine"), std::string::npos);
}

TEST(Acceleration, WorkThatHasEndedForGoodIsNotBegunAgain) {
  const search::Position position = climbed(interpreter(kLadder));
  Acceleration acceleration("sliced", position.machine->vocabulary(), nullptr, soon());
  int calls = 0;
  acceleration.run(position, soon(), [&](const auto&, const auto&) {
    acceleration.wait(soon());  // there is news, which asks it to stop
    ++calls;
    return true;
  });
  EXPECT_EQ(calls, 1);
}

TEST(Acceleration, TellsOnTheNetworkTooWhetherAMoveIsAskedFor) {
  std::vector<Seen> seen;
  const auto strategy =
      accelerate(std::make_unique<Recorder>(seen, on_network), {"recorder", {}}, nullptr);
  search::Position position = climbed(interpreter(kLadder));
  for (const bool at_start : {true, false}) {
    position.at_start = at_start;
    search::Incumbent incumbent;
    strategy->think(position, soon(), incumbent);
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back().machine, "sliced");
    EXPECT_EQ(seen.back().at_start, at_start);
  }
}

TEST(Acceleration, ALargeNetworkMayComeTwiceAndThePositionIsKept) {
  const auto machine = interpreter(gdl::tests::jumps().c_str());
  search::Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  std::vector<Seen> seen;
  std::vector<const gdl::Machine*> machines;
  const auto last = [&](const search::Position& p) {
    if (machines.empty() || machines.back() != p.machine.get()) machines.push_back(p.machine.get());
    return !p.machine->structure().reachable.empty();  // an early machine knows nothing yet
  };
  const auto strategy =
      accelerate(std::make_unique<Recorder>(seen, last), {"recorder", {}}, nullptr);
  search::Incumbent incumbent;
  strategy->think(position, search::Deadline(steady_clock::now() + seconds(200)), incumbent);
  EXPECT_GE(machines.size(), 2u);
  EXPECT_LE(machines.size(), 3u) << "interpreter, early unless it was overtaken, last";
  EXPECT_EQ(seen.front().machine, "interpreter");
  EXPECT_EQ(seen.back().machine, "sliced");
  for (const Seen& s : seen) EXPECT_EQ(s.state, seen.front().state);
}

/// A limit with which there is memory for the early machine of a game, and none for the last one; 0
/// if there is no such limit.
std::size_t memory_of_early_machine(const std::string& game) {
  std::size_t least = 0;
  for (std::size_t limit = std::size_t{1} << 20; limit < std::size_t{1} << 32; limit += limit / 4) {
    gdl::MemoryBudget memory(limit);
    bool early = false;
    const auto made = gdl::make_machine("sliced", interpreter(game.c_str())->vocabulary(),
                                        {nullptr, &memory}, [&](const auto&) { early = true; });
    if (made) return least;
    if (early) least = limit;
  }
  return 0;
}

TEST(Acceleration, KeepsAnEarlyMachineWhereTheLastOneCannotBeBuilt) {
  const std::string game = gdl::tests::jumps();
  const std::size_t limit = memory_of_early_machine(game);
  ASSERT_GT(limit, 0U);
  gdl::MemoryBudget memory(limit);
  const auto machine = interpreter(game.c_str());
  search::Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  std::vector<Seen> seen;
  // It waits for the end of the build.
  const auto strategy = accelerate(std::make_unique<Recorder>(seen, at_once),
                                   {"recorder", {{"machine", "sliced"}}}, &memory);
  search::Incumbent incumbent;
  strategy->think(position, search::Deadline(), incumbent);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back().machine, "sliced") << strategy->explanation();
}

TEST(Acceleration, StaysOnTheInterpreterWhereTheGameCannotBeGrounded) {
  std::vector<Seen> seen;
  int calls = 0;
  const auto twice = [&calls](const search::Position&) { return ++calls > 200; };
  const auto strategy =
      accelerate(std::make_unique<Recorder>(seen, twice), {"recorder", {}}, nullptr);
  const auto machine = interpreter(kEndless);
  search::Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  search::Incumbent incumbent;
  strategy->think(position, soon(), incumbent);
  for (const Seen& s : seen) EXPECT_EQ(s.machine, "interpreter");
  EXPECT_NE(strategy->explanation().find("terms can grow without bound"), std::string::npos);
}

TEST(Acceleration, ANamedMachineIsBuiltBeforeTheFirstSearch) {
  std::vector<Seen> seen;
  const auto strategy = accelerate(std::make_unique<Recorder>(seen, at_once),
                                   {"recorder", {{"machine", "scalar"}}}, nullptr);
  search::Incumbent incumbent;
  strategy->think(climbed(interpreter(kLadder)), soon(), incumbent);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].machine, "scalar");
  EXPECT_EQ(seen[0].state, "( ( at 2 ) )");
}

TEST(Acceleration, ALimitOnPlayoutsKeepsTheInterpreterForTheSakeOfRepetition) {
  std::vector<Seen> seen;
  const auto strategy = accelerate(std::make_unique<Recorder>(seen, at_once),
                                   {"recorder", {{"playouts", "100"}}}, nullptr);
  EXPECT_EQ(strategy->name(), "recorder");
  search::Incumbent incumbent;
  for (int i = 0; i < 3; ++i) strategy->think(climbed(interpreter(kLadder)), soon(), incumbent);
  for (const Seen& s : seen) EXPECT_EQ(s.machine, "interpreter");
}

TEST(Acceleration, OtherLimitsByCountsWaitForTheMachine) {
  for (const char* limit : {"nodes", "depth", "games"}) {
    std::vector<Seen> seen;
    const auto strategy = accelerate(std::make_unique<Recorder>(seen, at_once),
                                     {"recorder", {{limit, "3"}}}, nullptr);
    search::Incumbent incumbent;
    for (int i = 0; i < 3; ++i) strategy->think(climbed(interpreter(kLadder)), soon(), incumbent);
    ASSERT_EQ(seen.size(), 3u) << limit;
    for (const Seen& s : seen) EXPECT_EQ(s.machine, "sliced") << limit;
  }
}

TEST(Acceleration, ASearchThatThrowsHearsNoMoreOfTheBuild) {
  class Broken final : public search::Strategy {
   public:
    [[nodiscard]] std::string_view name() const override { return "broken"; }
    void think(const search::Position&, const search::Deadline&, search::Incumbent&) override {
      throw std::runtime_error("broken");
    }
  };
  // It takes seconds to build, and the end of the strategy stops it.
  const auto machine = interpreter(gdl::tests::jumps().c_str());
  search::Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  const auto strategy = accelerate(std::make_unique<Broken>(), {"broken", {}}, nullptr);
  search::Incumbent incumbent;
  EXPECT_THROW(strategy->think(position, search::Deadline(), incumbent), std::runtime_error);
}

TEST(Acceleration, StopsWithItsDeadline) {
  std::vector<Seen> seen;
  const auto never = [](const search::Position&) { return false; };
  const auto strategy =
      accelerate(std::make_unique<Recorder>(seen, never), {"recorder", {}}, nullptr);
  search::Incumbent incumbent;
  std::stop_source stop;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  strategy->think(climbed(interpreter(kLadder)), search::Deadline(stop.get_token()), incumbent);
  SUCCEED();  // it came back
}

}  // namespace
}  // namespace ludens::agent
