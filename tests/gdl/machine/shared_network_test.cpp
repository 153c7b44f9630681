// SPDX-License-Identifier: MIT
#include "gdl/machine/shared_network.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "gdl/network/game_network.h"

namespace ludens::gdl {
namespace {

SharedNetwork::Pointer a_network() {
  return std::make_shared<const GameNetwork>();
}

struct Flag final : StopSignal {
  std::atomic<bool> raised = false;
  mutable std::atomic<int> questions = 0;
  [[nodiscard]] bool stop_requested() const noexcept override {
    ++questions;
    return raised;
  }
};

TEST(SharedNetwork, IsMadeOnceWhileSomebodyHoldsIt) {
  SharedNetwork shared;
  int made = 0;
  const auto make = [&] {
    ++made;
    return a_network();
  };
  auto first = shared.get(nullptr, make);
  EXPECT_EQ(shared.get(nullptr, make), first);
  EXPECT_EQ(made, 1);
  first.reset();
  EXPECT_NE(shared.get(nullptr, make), nullptr);
  EXPECT_EQ(made, 2);
}

/// A thread that makes a network until it is allowed to end.
class Maker {
 public:
  Maker(SharedNetwork& shared, SharedNetwork::Pointer result) {
    std::promise<void> begun;
    thread_ = std::jthread([&shared, &begun, this, result = std::move(result)] {
      made_ = shared.get(nullptr, [&] {
        begun.set_value();
        end_.get_future().wait();
        return result;
      });
    });
    begun.get_future().wait();
  }
  void end() { end_.set_value(); }
  SharedNetwork::Pointer made() {
    thread_.join();
    return made_;
  }

 private:
  std::promise<void> end_;
  SharedNetwork::Pointer made_;
  std::jthread thread_;
};

TEST(SharedNetwork, IsAwaitedFromWhoMakesIt) {
  SharedNetwork shared;
  const auto network = a_network();
  Maker maker(shared, network);
  Flag stop;
  auto waiting = std::async(std::launch::async, [&] {
    return shared.get(&stop, [] { return SharedNetwork::Pointer(); });
  });
  while (stop.questions < 3) std::this_thread::yield();  // it waits
  maker.end();
  EXPECT_EQ(waiting.get(), network);
  EXPECT_EQ(maker.made(), network);
}

TEST(SharedNetwork, AStopEndsTheWaitWithoutANetwork) {
  SharedNetwork shared;
  Maker maker(shared, a_network());
  Flag stop;
  stop.raised = true;
  bool called = false;
  const auto make = [&] {
    called = true;
    return a_network();
  };
  EXPECT_EQ(shared.get(&stop, make), nullptr);
  EXPECT_FALSE(called);
  maker.end();
}

TEST(SharedNetwork, IsMadeByWhoWaitsIfTheOtherEndsWithoutOne) {
  SharedNetwork shared;
  Maker maker(shared, nullptr);
  Flag stop;
  auto waiting = std::async(std::launch::async, [&] { return shared.get(&stop, a_network); });
  while (stop.questions < 3) std::this_thread::yield();
  maker.end();
  EXPECT_NE(waiting.get(), nullptr);
}

TEST(SharedNetwork, IsFreeAgainAfterAnException) {
  SharedNetwork shared;
  const auto fail = []() -> SharedNetwork::Pointer { throw std::runtime_error("no memory"); };
  EXPECT_THROW((void)shared.get(nullptr, fail), std::runtime_error);
  EXPECT_NE(shared.get(nullptr, a_network), nullptr);
}

}  // namespace
}  // namespace ludens::gdl
