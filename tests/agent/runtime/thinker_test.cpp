// SPDX-License-Identifier: MIT
// A strategy in a thread of its own: when it is created again, stopped, reported and freed.
#include "agent/runtime/thinker.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/agent/strategy_doubles.h"

namespace ludens::agent {
namespace {

class ThinkerTest : public testing::Test {
 protected:
  ThinkerTest() {
    thinker =
        std::make_unique<Thinker>([script = script] { return std::make_unique<Double>(script); });
  }
  ~ThinkerTest() override {
    script->release = true;
    const auto worker = thinker->release();
    EXPECT_TRUE(worker->wait_ended(search::TimePoint::max()));
  }

  /// Begins to think; how that ends comes later.
  std::future<Thought> think() {
    auto promise = std::make_shared<std::promise<Thought>>();
    thinker->think({}, std::nullopt, std::make_shared<search::Incumbent>(),
                   [promise](Thought thought) { promise->set_value(std::move(thought)); });
    return promise->get_future();
  }
  static void at_once(const search::Position&, const search::Deadline&, search::Incumbent&) {}

  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::unique_ptr<Thinker> thinker;
};

TEST_F(ThinkerTest, KeepsItsStrategyUntilThatThrows) {
  script->play(at_once);
  EXPECT_FALSE(think().get().failed);
  const Thought second = think().get();
  EXPECT_FALSE(second.failed);
  EXPECT_EQ(second.explanation, "as the test wants");
  EXPECT_EQ(script->made, 1);
  script->play([](const auto&, const auto&, auto&) { throw std::runtime_error("broken"); });
  const Thought failed = think().get();
  EXPECT_TRUE(failed.failed);
  EXPECT_EQ(failed.problem, "broken");
  script->play(at_once);
  EXPECT_FALSE(think().get().failed);
  EXPECT_EQ(script->made, 2);
}

TEST_F(ThinkerTest, StopsASearchForTheNextOne) {
  script->play(until_stopped);
  auto first = think();
  wait_for([&] { return script->running == 1; });
  script->play(at_once);
  auto second = think();
  EXPECT_FALSE(first.get().failed);
  EXPECT_FALSE(second.get().failed);
  EXPECT_EQ(script->calls, 2);
}

TEST_F(ThinkerTest, SaysHowLongAStoppedSearchWentOn) {
  using std::chrono::milliseconds;
  script->play(at_once);
  EXPECT_EQ(think().get().lag, milliseconds(0)) << "nobody has stopped it";
  script->play(until_released(*script));
  auto search = think();
  wait_for([&] { return script->running == 1; });
  thinker->stop();
  std::this_thread::sleep_for(milliseconds(20));
  script->release = true;
  EXPECT_GE(search.get().lag, milliseconds(20));
}

TEST_F(ThinkerTest, NamesTheSearchThatDoesNotObey) {
  script->play(until_released(*script));
  auto search = think();
  wait_for([&] { return script->running == 1; });
  EXPECT_EQ(thinker->unresponsive(), 0U) << "it was not told";
  thinker->stop();
  EXPECT_EQ(thinker->unresponsive(), 1U);
  script->release = true;
  search.wait();
  EXPECT_EQ(thinker->unresponsive(), 0U);
}

TEST_F(ThinkerTest, DoesNotReportWhatWasStoppedBeforeItBegan) {
  script->play(until_released(*script));
  auto first = think();
  wait_for([&] { return script->running == 1; });
  auto second = think(), third = think();
  script->release = true;
  first.wait();
  third.wait();
  EXPECT_THROW(second.get(), std::future_error) << "it was dropped";
  EXPECT_EQ(script->calls, 2);
}

TEST(Thinker, ReportsThatThereIsNoStrategy) {
  Thinker thinker([]() -> std::unique_ptr<search::Strategy> { return nullptr; });
  std::promise<Thought> promise;
  thinker.think({}, std::nullopt, std::make_shared<search::Incumbent>(),
                [&](Thought thought) { promise.set_value(std::move(thought)); });
  const Thought thought = promise.get_future().get();
  EXPECT_TRUE(thought.failed);
  EXPECT_EQ(thought.problem, "");
  EXPECT_TRUE(thinker.release()->wait_ended(search::TimePoint::max()));
}

/// Notes where it is made and freed.
class Resident final : public search::Strategy {
 public:
  explicit Resident(std::thread::id& freed_in) : freed_in_(freed_in) {}
  ~Resident() override { freed_in_ = std::this_thread::get_id(); }
  [[nodiscard]] std::string_view name() const override { return "resident"; }
  void think(const search::Position&, const search::Deadline&, search::Incumbent&) override {}

 private:
  std::thread::id& freed_in_;
};

TEST(Thinker, FreesTheStrategyInTheThreadThatUsedIt) {
  std::thread::id made_in, freed_in;
  Thinker thinker([&] {
    made_in = std::this_thread::get_id();
    return std::make_unique<Resident>(freed_in);
  });
  std::promise<void> done;
  thinker.think({}, std::nullopt, std::make_shared<search::Incumbent>(),
                [&](const Thought&) { done.set_value(); });
  done.get_future().wait();
  EXPECT_TRUE(thinker.release()->wait_ended(search::TimePoint::max()));
  EXPECT_NE(made_in, std::this_thread::get_id());
  EXPECT_EQ(freed_in, made_in);
}

}  // namespace
}  // namespace ludens::agent
