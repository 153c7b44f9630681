// SPDX-License-Identifier: MIT
#include "gdl/ground/declarations.h"

#include <gtest/gtest.h>

#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

std::vector<std::string> warnings(const std::string& declarations) {
  std::vector<std::string> texts;
  for (const Diagnostic& d : check_declarations(tests::rules_of(R"((role a) (init (at 1))
      (succ 1 2) (succ 2 3) (succ 3 4)
      (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y)) (legal a stay)
      (<= (next (at ?y)) (does a (go ?y))) (<= (next (at ?x)) (does a stay) (true (at ?x)))
      (<= terminal (true (at 4))) (goal a 100)
      )" + declarations),
                                                {})) {
    EXPECT_EQ(d.severity, Severity::Warning);
    texts.push_back(d.code + ": " + d.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Declarations, WhatIsReachedButNotDeclaredGivesAWarning) {
  EXPECT_EQ(
      warnings("(base (at 1)) (base (at 2)) (input a stay) (input a (go 2)) (input a (go 3))"),
      (Texts{"undeclared-fluent: ( at 3 ) could hold, but 'base' does not declare it, nor 1 "
             "more fluents of that name",
             "undeclared-move: ( go 4 ) of a could be legal, but 'input' does not declare "
             "it"}));
}

TEST(Declarations, AreTakenAsTheRulesDeriveThem) {
  EXPECT_EQ(warnings("(<= (base (at ?x)) (succ ?x ?y)) (<= (base (at ?y)) (succ ?x ?y))"
                     "(<= (input ?r (go ?y)) (role ?r) (succ ?x ?y)) (input a stay)"),
            Texts{});
}

TEST(Declarations, WhatIsDeclaredAndNeverReachedIsFine) {
  EXPECT_EQ(warnings("(base (at 1)) (base (at 2)) (base (at 3)) (base (at 4)) (base (at 5))"
                     "(base (lost now))"),
            Texts{});
}

TEST(Declarations, AreNotMissedWhereThereAreNone) {
  EXPECT_EQ(warnings(""), Texts{});
  EXPECT_EQ(warnings("(input a stay) (input a (go 2)) (input a (go 3)) (input a (go 4))"), Texts{});
}

TEST(Declarations, AreNotNeededForMovesOfTermsThatAreNoRoles) {
  EXPECT_EQ(warnings("(input a stay) (input a (go 2)) (input a (go 3)) (input a (go 4))"
                     "(legal (f a) swim) (legal green swim)"),
            Texts{});
}

TEST(Declarations, ThatNameNothingOfTheKindDeclareNothing) {
  EXPECT_EQ(warnings("(base other)"),
            (Texts{"undeclared-fluent: ( at 1 ) could hold, but 'base' does not declare it, nor 3 "
                   "more fluents of that name"}));
}

TEST(Declarations, AreLeftOutWhenStopped) {
  struct Now final : StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return true; }
  } now;
  const auto rules = tests::rules_of(std::string(tests::kHeap) + "(base (heap 5))");
  EXPECT_FALSE(check_declarations(rules, {}).empty());
  GroundingLimits limits;
  limits.limits.stop = &now;
  EXPECT_TRUE(check_declarations(rules, limits).empty());
}

}  // namespace
}  // namespace ludens::gdl
