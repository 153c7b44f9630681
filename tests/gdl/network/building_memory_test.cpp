// SPDX-License-Identifier: MIT
// Networks that are larger than the memory limit: the memory for building them is counted.
#include <gtest/gtest.h>

#include <string>

#include "gdl/registry/machines.h"
#include "tests/gdl/memory/peak.h"
#include "tests/gdl/rules/rulesheet.h"
#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

/// A relation over this many points, composed with itself: gates without end.
std::string composed(int points) {
  std::string text = "(role r) (legal r go) (goal r 50) (<= terminal (true (c a b)))";
  for (int i = 0; i < points; ++i) text += "(d " + std::to_string(i) + ")";
  return text +
         "(<= (init (c ?x ?y)) (d ?x) (d ?y))"
         "(<= (next (c ?x ?z)) (true (c ?x ?y)) (true (c ?y ?z)))";
}

/// One condition with a ground rule for each three points.
std::string one_of_many(int points) {
  std::string text = "(role r) (legal r go) (goal r 50)";
  for (int i = 0; i < points; ++i) text += "(d " + std::to_string(i) + ")";
  return text +
         "(<= (init (c ?x ?y)) (d ?x) (d ?y)) (<= (next (c ?x ?y)) (true (c ?x ?y)))"
         "(<= terminal (true (c ?x ?y)) (true (c ?y ?z)) (true (c ?z ?x)))";
}

TEST(BuildingMemory, ANetworkThatIsTooLargeIsGivenUpInTime) {
  for (const std::string& text : {composed(130), one_of_many(130)}) {
    constexpr std::size_t kGranted = std::size_t{48} << 20;
    MemoryBudget memory(kGranted);
    const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(text).rules);
    tests::forget_peak();
    const std::size_t before = tests::peak_bytes();
    const MachineOrReason made = make_machine("sliced", vocabulary, {nullptr, &memory}, {});
    const std::size_t grown = tests::peak_bytes() - before;
    EXPECT_TRUE(made.has_error());
    if (!kSanitized) {
      EXPECT_LT(grown, kGranted * 3 / 2);
    }
    EXPECT_EQ(memory.used(), 0u);
  }
}

}  // namespace
}  // namespace ludens::gdl
