// SPDX-License-Identifier: MIT
// What a signal does in a program that waits for it.
#include "server/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <semaphore>
#include <stdexcept>

namespace ludens::server {
namespace {

TEST(Interrupt, HearsTheNextHangupIfTheCallFails) {
  std::counting_semaphore<> called{0};
  const Interrupt interrupt({.hangup =
                                 [&called] {
                                   called.release();
                                   throw std::runtime_error("the log can't be opened");
                                 },
                             .second = {}});
  for (int signals = 1; signals <= 3; ++signals) {
    ASSERT_EQ(::kill(::getpid(), SIGHUP), 0);
    ASSERT_TRUE(called.try_acquire_for(std::chrono::minutes(1))) << signals;
  }
  EXPECT_FALSE(interrupt.token().stop_requested());
}

}  // namespace
}  // namespace ludens::server
