// SPDX-License-Identifier: MIT
#include "agent/thread/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "agent/thread/retired_threads.h"
#include "tests/agent/manual_time.h"
#include "tests/agent/strategy_doubles.h"

namespace ludens::agent {
namespace {

std::chrono::steady_clock::time_point soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

TEST(Worker, RunsJobsInOrderAndTheLastOneAtTheEnd) {
  const auto order = std::make_shared<std::vector<int>>();
  Worker worker([order] { order->push_back(9); });
  for (int i = 0; i < 3; ++i) {
    worker.post([order, i] { order->push_back(i); });
  }
  worker.finish();
  ASSERT_TRUE(worker.wait_ended(soon()));
  EXPECT_EQ(*order, (std::vector<int>{0, 1, 2, 9}));
}

TEST(Worker, CloseDropsWhatHasNotBegun) {
  const auto begun = std::make_shared<std::atomic<bool>>(false);
  const auto release = std::make_shared<std::atomic<bool>>(false);
  const auto second = std::make_shared<std::atomic<bool>>(false);
  Worker worker;
  worker.post([begun, release] {
    *begun = true;
    wait_for([&] { return release->load(); });
  });
  worker.post([second] { *second = true; });
  wait_for([&] { return begun->load(); });
  worker.close();
  EXPECT_FALSE(worker.ended());
  *release = true;
  ASSERT_TRUE(worker.wait_ended(soon()));
  EXPECT_FALSE(*second);
}

TEST(Worker, AJobThatDoesNotEndOutlivesTheWorker) {
  const auto begun = std::make_shared<std::atomic<bool>>(false);
  const auto release = std::make_shared<std::atomic<bool>>(false);
  const auto ended = std::make_shared<std::atomic<bool>>(false);
  {
    Worker worker([ended] { *ended = true; });
    worker.post([begun, release] {
      *begun = true;
      wait_for([&] { return release->load(); });
    });
    wait_for([&] { return begun->load(); });
  }
  EXPECT_FALSE(*ended);
  *release = true;
  wait_for([&] { return ended->load(); });
}

TEST(RetiredThreads, CountAbandonedThreadsUntilTheyEnd) {
  ManualTime time;
  RetiredThreads retired(time);
  const auto release = std::make_shared<std::atomic<bool>>(false);
  const auto begun = std::make_shared<std::atomic<int>>(0);
  const auto owner = retired.new_owner("10.0.0.1");
  for (int i = 0; i < 2; ++i) {
    auto worker = std::make_unique<Worker>();
    worker->post([release, begun] {
      ++*begun;
      wait_for([&] { return release->load(); });
    });
    wait_for([&] { return *begun == i + 1; });
    worker->close();
    if (i == 0) {
      retired.take(std::move(worker), owner);
    } else {
      retired.take_ending(std::move(worker), {});
    }
  }
  EXPECT_EQ(retired.abandoned(owner), 1u);
  EXPECT_EQ(retired.abandoned_of("10.0.0.1"), 1u);
  EXPECT_EQ(retired.abandoned_of("10.0.0.2"), 0u);
  EXPECT_EQ(retired.abandoned(), 1u);
  time.advance(RetiredThreads::kEnding);
  EXPECT_EQ(retired.abandoned(), 2u);
  EXPECT_EQ(retired.overdue(), 1u);
  *release = true;
  wait_for([&] {
    retired.reap();
    return retired.abandoned() == 0;
  });
  EXPECT_EQ(retired.leave(soon()), 0u);
}

}  // namespace
}  // namespace ludens::agent
