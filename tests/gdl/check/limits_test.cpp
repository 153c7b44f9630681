// SPDX-License-Identifier: MIT
// Rulesheets that are made to keep the checker busy, or to fill the memory.
#include "tests/gdl/check/diagnostics_of.h"

namespace ludens::gdl {
namespace {

/// Says so from the third time on that it is asked.
struct Stop final : StopSignal {
  [[nodiscard]] bool stop_requested() const noexcept override { return ++asked > 2; }
  mutable int asked = 0;
};

/// Each argument may grow by each other one: a million sources.
std::string growing(int arguments) {
  std::string many;
  for (int i = 0; i < arguments; ++i) many += " ?x";
  return "(<= (p" + many + ") (p" + many + "))";
}

/// Every rule may feed every other one.
std::string entangled(int rules) {
  std::string text;
  for (int i = 0; i < rules; ++i) text += "(<= (p ?x) (not (p (f" + std::to_string(i) + " ?x))))";
  return text;
}

TEST(CheckLimits, AStopIsHeardInEveryPass) {
  for (const std::string& text : {growing(2000), entangled(2000)}) {
    const NormalisedRules rules = normalise_text(text);
    const Stop stop;
    check(rules, {&stop, nullptr});
    EXPECT_EQ(stop.asked, 3) << text.substr(0, 40);
  }
}

/// The ranks of such a circle rise by one a round.
TEST(CheckLimits, TermsThatGrowInALongCircleAreFoundWithoutRankingAllOfThem) {
  constexpr int kRules = 3000;
  std::string text = "(p0 a)";
  for (int i = 0; i < kRules; ++i) {
    text +=
        "(<= (p" + std::to_string(i) + " (f ?x)) (p" + std::to_string((i + 1) % kRules) + " ?x))";
  }
  EXPECT_NE(found("growing-terms", text), "");
}

TEST(CheckLimits, MemoryIsCountedWhileTheCheckLasts) {
  for (const std::string& text : {growing(2000), entangled(2000)}) {
    MemoryBudget memory(std::size_t{2} << 20);
    const NormalisedRules rules = normalise_text(text);
    check(rules, {nullptr, &memory});
    EXPECT_EQ(memory.used(), 0u);
    MemoryBudget none(1);
    EXPECT_EQ(check(rules, {nullptr, &none}).size(), rules.diagnostics.size());
  }
}

TEST(CheckLimits, SomeFindingsOfEachSeverityAreKept) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "(<= (u" + std::to_string(i) + " ?x) (nowhere ?y))";
  EXPECT_LE(check(normalise_text(text), {}, 10).size(), 30u);
}

}  // namespace
}  // namespace ludens::gdl
