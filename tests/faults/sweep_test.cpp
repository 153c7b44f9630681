// SPDX-License-Identifier: MIT
// A few faults of each kind at each command. All of them: the program `faults_sweep`.
#include <gtest/gtest.h>

#include "tests/faults/sweep.h"

namespace ludens::faults {
namespace {

constexpr std::size_t kRuns = 4;  // of each kind

class Faults : public testing::TestWithParam<Scenario> {};

TEST_P(Faults, EndInACodeAndALine) {
  for (const std::string& kind : kinds()) {
    const Outcome plain = run(GetParam(), kind, "at=0");
    ASSERT_EQ(plain.problem, "");
    ASSERT_EQ(plain.code, 0) << plain.output;
    ASSERT_EQ(plain.failed, 0u);
    for (const std::uint64_t number : spread(plain.calls, kRuns)) {
      const Outcome outcome = run(GetParam(), kind, "at=" + std::to_string(number));
      EXPECT_EQ(outcome.problem, "") << kind << " at=" << number << " (" << outcome.first << ")\n"
                                     << outcome.output;
    }
  }
}

TEST_P(Faults, AtEveryReadAndWriteChangeNothing) {
  const Outcome outcome = run(GetParam(), "short", "seed=1,rate=1000000");
  EXPECT_EQ(outcome.problem, "") << outcome.output;
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_GT(outcome.failed, 0u);
}

class FaultsInTheEnd : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, FaultsInTheEnd, testing::Values("serve", "gamemaster"),
                         [](const auto& tried) { return tried.param; });

TEST_P(FaultsInTheEnd, DoNotKeepServeFromEnding) {
  constexpr std::uint64_t kLast = 40;  // allocations: more than a signal to end brings
  Scenario ending;
  for (const Scenario& scenario : scenarios()) {
    if (scenario.name == GetParam()) ending = scenario;
  }
  if (!ending.guest.empty()) ending.guest = {"games"};  // asks nothing of it
  const Outcome plain = run(ending, "memory", "at=0");
  ASSERT_EQ(plain.problem, "");
  ASSERT_GT(plain.calls, kLast);
  for (std::uint64_t number = plain.calls - kLast; number <= plain.calls; ++number) {
    const Outcome outcome = run(ending, "memory", "at=" + std::to_string(number));
    EXPECT_EQ(outcome.problem, "") << "at=" << number << " (" << outcome.first << ")\n"
                                   << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(OneCall, Faults, testing::ValuesIn(scenarios()),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace ludens::faults
