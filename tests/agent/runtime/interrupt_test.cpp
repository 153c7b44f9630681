// SPDX-License-Identifier: MIT
#include "agent/runtime/interrupt.h"

#include <gtest/gtest.h>

namespace ludens::agent {
namespace {

TEST(Interrupt, OfPlaysThatWaitEndsWhatOnlyThisTurnNeeds) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.soft().stop_requested());
  interrupt.announce();
  interrupt.announce();
  interrupt.attend();
  EXPECT_TRUE(interrupt.waited_for());
  EXPECT_TRUE(interrupt.soft().stop_requested());
  EXPECT_FALSE(interrupt.hard().stop_requested());
  interrupt.attend();
  EXPECT_FALSE(interrupt.waited_for());
  EXPECT_FALSE(interrupt.soft().stop_requested());
}

TEST(Interrupt, OfPlaysThatWaitEndsNothingWhileItIsPatient) {
  Interrupt interrupt;
  interrupt.announce();
  interrupt.be_patient(true);
  EXPECT_FALSE(interrupt.waited_for());
  EXPECT_FALSE(interrupt.soft().stop_requested());
  interrupt.be_patient(false);
  EXPECT_TRUE(interrupt.soft().stop_requested());
  interrupt.be_patient(true);
  interrupt.end();
  EXPECT_TRUE(interrupt.soft().stop_requested());
}

TEST(Interrupt, OfTheMatchEndsEverything) {
  Interrupt interrupt;
  interrupt.end();
  EXPECT_TRUE(interrupt.ended());
  EXPECT_TRUE(interrupt.soft().stop_requested());
  EXPECT_TRUE(interrupt.hard().stop_requested());
}

TEST(Interrupt, HurriesWithoutEndingWhatAnAnswerNeeds) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.hurries());
  interrupt.hurry_at(Interrupt::Clock::now());
  EXPECT_TRUE(interrupt.hurries());
  interrupt.be_patient(true);
  EXPECT_FALSE(interrupt.hurries());
  interrupt.be_patient(false);
  EXPECT_TRUE(interrupt.brief().stop_requested());
  EXPECT_FALSE(interrupt.soft().stop_requested());
  EXPECT_FALSE(interrupt.hard().stop_requested());
  interrupt.hurry_at(Interrupt::Clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(interrupt.hurries());
}

TEST(Interrupt, MayComeAtATime) {
  Interrupt interrupt;
  interrupt.end_at(Interrupt::Clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(interrupt.ended());
  EXPECT_FALSE(interrupt.hard().stop_requested());
  interrupt.end_at(Interrupt::Clock::now());
  EXPECT_TRUE(interrupt.ended());
  EXPECT_TRUE(interrupt.hard().stop_requested());
}

}  // namespace
}  // namespace ludens::agent
