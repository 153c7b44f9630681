// SPDX-License-Identifier: MIT
#include "server/tournament/probe.h"

#include <gtest/gtest.h>

namespace ludens::server {
namespace {

TEST(Probe, IsToldByTheStatusWhetherAPlayerIsBusy) {
  EXPECT_TRUE(says_busy("( ( name Ludens ) ( status busy ) )"));
  EXPECT_TRUE(says_busy("((STATUS BUSY))"));
  EXPECT_TRUE(says_busy(" busy\r\n"));
  EXPECT_TRUE(says_busy("BUSY"));
}

TEST(Probe, ANameIsNoStatus) {
  EXPECT_FALSE(says_busy("( ( name BusyBee ) ( status available ) )"));
  EXPECT_FALSE(says_busy("( ( name busy ) ( status available ) )"));
  EXPECT_FALSE(says_busy("( ( name busy ) )"));
  EXPECT_FALSE(says_busy("available, not busy"));
  EXPECT_FALSE(says_busy("ready"));
  EXPECT_FALSE(says_busy("( ( status"));
  EXPECT_FALSE(says_busy(""));
}

}  // namespace
}  // namespace ludens::server
