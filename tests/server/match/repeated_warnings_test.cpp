// SPDX-License-Identifier: MIT
#include "server/match/repeated_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ludens::server {
namespace {

TEST(RepeatedWarnings, AreToldLessAndLessOften) {
  RepeatedWarnings warnings;
  std::vector<std::string> told;
  for (int i = 1; i <= 1000; ++i) {
    if (const auto text = warnings.pass("match " + std::to_string(i) + ": late")) {
      told.push_back(*text);
    }
  }
  EXPECT_THAT(told, testing::ElementsAre(
                        "match 1: late", "match 2: late",
                        "match 3: late (reported again after 10 times, 100 times, ...)",
                        "match 10: late (10 times so far)", "match 100: late (100 times so far)",
                        "match 1000: late (1000 times so far)"));
}

TEST(RepeatedWarnings, AreToldApartByTheirWords) {
  RepeatedWarnings warnings;
  for (int i = 0; i < 5; ++i) warnings.pass("a is late");
  EXPECT_EQ(warnings.pass("b is late"), "b is late");
  EXPECT_EQ(warnings.pass("a is late"), std::nullopt);
}

TEST(RepeatedWarnings, TakeNoMoreAndMoreMemory) {
  RepeatedWarnings warnings;
  for (int i = 0; i < 5; ++i) warnings.pass("a is late");
  for (int i = 0; i < 2000; ++i)
    warnings.pass(std::string(i % 997 + 1, 'x') + (i < 997 ? "y" : "z"));
  EXPECT_EQ(warnings.pass("a is late"), "a is late") << "it was forgotten";
}

}  // namespace
}  // namespace ludens::server
