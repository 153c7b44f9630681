// SPDX-License-Identifier: MIT
#include "server/http/asio_scheduler.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

class AsioSchedulerTest : public testing::Test {
 protected:
  boost::asio::io_context context_;
  AsioScheduler scheduler_{context_};
  SteadyClock clock_;
  std::string order_;
};

TEST_F(AsioSchedulerTest, TimersRunInTheOrderOfTheirTimes) {
  const auto now = clock_.now();
  scheduler_.at(now + 20ms, [this] { order_ += 'c'; });
  scheduler_.at(now + 10ms, [this] { order_ += 'b'; });
  scheduler_.at(now - 1s, [this] { order_ += 'a'; });
  context_.run();
  EXPECT_EQ(order_, "abc");
}

TEST_F(AsioSchedulerTest, ACancelledTimerNeverRunsThoughItsTimeHasCome) {
  agent::Scheduler::TimerId second = 0;
  const auto past = clock_.now() - 1s;
  scheduler_.at(past, [&] {
    order_ += 'a';
    scheduler_.cancel(second);
  });
  second = scheduler_.at(past, [this] { order_ += 'b'; });
  context_.run();
  EXPECT_EQ(order_, "a");
  scheduler_.cancel(second);  // no effect
}

TEST_F(AsioSchedulerTest, FunctionsMayPostAndSchedule) {
  scheduler_.post([this] {
    order_ += 'a';
    scheduler_.at(clock_.now(), [this] { order_ += 'c'; });
    scheduler_.post([this] { order_ += 'b'; });
  });
  context_.run();
  EXPECT_EQ(order_, "abc");
}

TEST_F(AsioSchedulerTest, OtherThreadsPostAndCancel) {
  auto work = boost::asio::make_work_guard(context_);
  int posted = 0, late = 0;
  std::vector<agent::Scheduler::TimerId> timers;
  for (int i = 0; i < 100; ++i) {
    timers.push_back(scheduler_.at(clock_.now() + 1h, [&] { ++late; }));
  }
  std::thread other([&] {
    for (const auto timer : timers) scheduler_.cancel(timer);
    for (int i = 0; i < 1000; ++i) scheduler_.post([&] { ++posted; });
    scheduler_.post([&] { work.reset(); });
  });
  context_.run();
  other.join();
  EXPECT_EQ(posted, 1000);
  EXPECT_EQ(late, 0);
}

TEST_F(AsioSchedulerTest, TimersDieWithTheScheduler) {
  {
    AsioScheduler short_lived(context_);
    short_lived.at(clock_.now() - 1s, [this] { order_ += 'x'; });
    short_lived.post([this] { order_ += 'p'; });
  }
  context_.run();
  EXPECT_EQ(order_, "p");
}

}  // namespace
}  // namespace ludens::server
