// SPDX-License-Identifier: MIT
#include "agent/session/margin.h"

#include <gtest/gtest.h>

namespace ludens::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Margin, IsTheFloorAtFirst) {
  const Margin margin(milliseconds(1000));
  EXPECT_EQ(margin.of(seconds(15)).length, milliseconds(1000));
  EXPECT_FALSE(margin.of(seconds(15)).halved);
}

TEST(Margin, GrowsByTheLatenessMeasured) {
  Margin margin(milliseconds(1000));
  margin.measured(milliseconds(80));
  EXPECT_EQ(margin.of(seconds(15)).length, milliseconds(1080));
}

TEST(Margin, ForgetsAPeakSlowly) {
  Margin margin(milliseconds(1000));
  margin.measured(milliseconds(800));
  margin.measured(milliseconds(0));
  EXPECT_EQ(margin.of(seconds(15)).length, milliseconds(1700));
  for (int i = 0; i < 100; ++i) margin.measured(milliseconds(0));
  EXPECT_LT(margin.of(seconds(15)).length, milliseconds(1001));
}

TEST(Margin, IgnoresEarlyTimers) {
  Margin margin(milliseconds(1000));
  margin.measured(milliseconds(-50));
  EXPECT_EQ(margin.of(seconds(15)).length, milliseconds(1000));
}

TEST(Margin, IsHalfTheClockWhereItWouldBeThatOrMore) {
  const Margin margin(milliseconds(1000));
  EXPECT_EQ(margin.of(seconds(2)).length, milliseconds(1000));
  EXPECT_TRUE(margin.of(seconds(2)).halved);
  EXPECT_EQ(margin.of(seconds(1)).length, milliseconds(500));
  EXPECT_TRUE(margin.of(seconds(1)).halved);
  EXPECT_EQ(margin.of(seconds(0)).length, milliseconds(0));
  EXPECT_EQ(margin.of(seconds(-5)).length, milliseconds(0));
}

}  // namespace
}  // namespace ludens::agent
