// SPDX-License-Identifier: MIT
// Rulesheets that are made to keep the checker busy, or to fill the memory.
#include <algorithm>

#include "tests/gdl/check/diagnostics_of.h"
#include "tests/gdl/rules/large_terms.h"
#include "tests/gdl/text/stop_signals.h"

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

/// Conditions that no state fulfils, and names that are as long as those of the states.
std::string misspelled(int conditions, int names) {
  const std::string start(95, 'x');
  std::string text;
  for (int i = 0; i < names; ++i) text += "(init " + start + std::to_string(1000 + i) + ")";
  for (int i = 0; i < conditions; ++i) {
    text += "(<= (p ?x) (q ?x) (true " + std::string(95, 'y') + std::to_string(1000 + i) + "))";
  }
  return text;
}

/// The same for relations.
std::string misspelled_relations(int calls, int names) {
  const std::string start(95, 'x');
  std::string text;
  for (int i = 0; i < names; ++i) text += "(" + start + std::to_string(1000 + i) + " a)";
  for (int i = 0; i < calls; ++i) {
    text += "(<= (p ?x) (" + std::string(95, 'y') + std::to_string(1000 + i) + " ?x))";
  }
  return text;
}

std::size_t count(const std::string& code, const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::ranges::count(diagnostics, code, &Diagnostic::code));
}

/// A name that is looked for is compared with every other, letter by letter.
TEST(CheckLimits, AStopIsHeardWhileNamesAreCompared) {
  constexpr int kAsked = 10, kNames = 300;
  static_assert(2 * 95 * 95 > StopPoll::kWorkBetween, "a question after two names");
  for (const auto& [code, text] :
       {std::pair("impossible-condition", misspelled(kAsked, kNames)),
        std::pair("undefined-relation", misspelled_relations(kAsked, kNames))}) {
    const NormalisedRules rules = normalise_text(text);
    const tests::StopAfter never(1 << 30), soon(3);
    EXPECT_EQ(count(code, check(rules, {&never, nullptr})), std::size_t{kAsked});
    EXPECT_GE(never.asked(), kAsked * kNames / 2);
    EXPECT_EQ(count(code, check(rules, {&soon, nullptr})), 1U) << "the one looked for meanwhile";
  }
}

/// A pair of sentences takes as long as their terms are.
TEST(CheckLimits, AStopIsHeardWhileSentencesAreCompared) {
  constexpr int kRules = 30, kArity = 300;
  const auto sentence = [](const std::string& first, const std::string& others) {
    std::string text = "(c " + first;
    for (int i = 0; i < kArity; ++i) text += " " + others;
    return text + ")";
  };
  std::string conditions, circles;
  for (int i = 0; i < kRules; ++i) {
    const std::string body = " (d ?x " + std::to_string(i) + ") ";
    conditions += "(<= (next " + sentence("1", "?x") + ")" + body + ")";
    conditions += "(<= p" + body + "(true " + sentence("2", "?x") + "))";
    circles += "(<= " + sentence("?x", "?x") + body + "(not " + sentence("(f ?x)", "?x") + "))";
  }
  for (const std::string& text : {conditions, circles}) {
    const tests::StopAfter never(1 << 30);
    check(normalise_text(text), {&never, nullptr});
    EXPECT_GE(never.asked(), kRules * kRules * kArity / int{StopPoll::kWorkBetween});
  }
}

TEST(CheckLimits, LargeTermsAreCountedAsWork) {
  constexpr int kRules = 50;
  const tests::StopAfter never(1 << 30);
  check(normalise_text(doubling(kRules)), {&never, nullptr});
  EXPECT_GE(never.asked(), kRules);
}

/// The place of each variable is found without a look at all other literals.
TEST(CheckLimits, ManyVariablesAreReportedInLinearTime) {
  constexpr int kVariables = 4000, kWorkOfEach = 100;
  std::string text = "(<= p";
  for (int i = 0; i < kVariables; ++i) text += " (not (true (s ?x" + std::to_string(i) + ")))";
  const NormalisedRules rules = normalise_text(text + ")");
  const tests::StopAfter never(1 << 30);
  const Diagnostics all = check(rules, {&never, nullptr});
  EXPECT_EQ(count("unsafe-variable", all), std::size_t{kVariables});
  EXPECT_LE(never.asked(), kVariables * kWorkOfEach / int{StopPoll::kWorkBetween});
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
