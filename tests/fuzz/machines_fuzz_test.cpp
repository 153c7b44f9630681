// SPDX-License-Identifier: MIT
// Random rulesheets on all machines: the short run. The long one is the program `machines_fuzz`.
#include <gtest/gtest.h>

#include "tests/fuzz/machines/machines_comparison.h"
#include "tests/fuzz/machines/random_rulesheet.h"

namespace ludens::gdl::tests {
namespace {

TEST(MachinesFuzz, AllMachinesAgreeOnRandomRulesheets) {
  std::uint64_t refused = 0, states = 0;
  constexpr std::uint64_t kRulesheets = 50;
  for (std::uint64_t seed = 1; seed <= kRulesheets; ++seed) {
    const std::string text = lively_rulesheet(seed);
    const FuzzResult result = compare_all_machines(text, seed);
    ASSERT_EQ(result.problem, "") << "seed " << seed << "\n" << text;
    refused += result.refused.empty() ? 0 : 1;
    states += result.states;
  }
  EXPECT_LT(refused, kRulesheets / 10) << "too few networks to compare";
  EXPECT_GT(states, kRulesheets * 10) << "games too short to mean anything";
}

TEST(MachinesFuzz, TheSameSeedWritesTheSameRulesheet) {
  EXPECT_EQ(random_rulesheet(7), random_rulesheet(7));
  EXPECT_NE(random_rulesheet(7), random_rulesheet(8));
}

}  // namespace
}  // namespace ludens::gdl::tests
