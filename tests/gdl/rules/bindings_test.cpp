// SPDX-License-Identifier: MIT
// Which calls have answers without unbound variables.
#include "gdl/rules/bindings.h"

#include <string>
#include <string_view>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

constexpr const char* kPaths =
    "(step ?f 1 ?f 2) (<= (path ?a ?b ?c ?d) (step ?a ?b ?c ?d))"
    "(<= (path ?a ?b ?c ?d) (step ?a ?b ?m ?n) (path ?m ?n ?c ?d))";

/// `known`: a letter for each argument, `b` for one that is known.
bool answers(const std::string& rules, std::string_view relation, std::string_view known) {
  const NormalisedRules read = normalise_text(rules);
  Known arguments;
  for (const char c : known) arguments.push_back(c == 'b');
  return Bindings(*read.rules)
      .answers(*read.rules->find_relation(relation, static_cast<std::uint32_t>(known.size())),
               arguments);
}

std::string unevaluable(const std::string& rules) {
  return normalise_text(rules).unevaluable.value_or("");
}

TEST(Bindings, AnArgumentMayGiveAnotherItsValue) {
  EXPECT_FALSE(answers(kPaths, "step", "ffff"));
  EXPECT_FALSE(answers(kPaths, "step", "fbfb"));
  EXPECT_TRUE(answers(kPaths, "step", "bfff"));
  EXPECT_TRUE(answers(kPaths, "step", "ffbf"));
}

TEST(Bindings, ThroughRecursion) {
  EXPECT_FALSE(answers(kPaths, "path", "fbfb"));
  EXPECT_TRUE(answers(kPaths, "path", "bfff"));
  EXPECT_TRUE(answers(kPaths, "path", "ffbf"));
  // The recursive call is asked with nothing known.
  EXPECT_FALSE(answers("(p ?x ?x) (<= (p ?x ?y) (p ?z ?z) (q ?x))", "p", "bf"));
  // Each needs the other's value.
  EXPECT_FALSE(answers("(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (p ?x)", "q", "f"));
  EXPECT_TRUE(answers("(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (p ?x)", "q", "b"));
}

TEST(Bindings, InNegationsAndInequalities) {
  const std::string open = "(<= (same ?x ?x) (true p)) (<= (same ?x ?y) (same ?y ?x))";
  EXPECT_TRUE(answers(open + "(<= (r ?x) (q ?x ?y) (not (same ?x ?y)))", "r", "f"));
  EXPECT_FALSE(answers(open + "(<= (r ?x) (q ?x) (not (same ?y ?z)))", "r", "f"));
  EXPECT_FALSE(answers("(<= (r ?x) (q ?x) (distinct ?x ?y))", "r", "b"));
}

TEST(Bindings, OfRulesThatPlayMayAskFor) {
  EXPECT_EQ(unevaluable(kPaths), "") << "nothing asks";
  EXPECT_EQ(unevaluable(std::string(kPaths) + "(<= terminal (true (at ?a)) (path ?a 1 ?c ?d))"),
            "");
  EXPECT_EQ(unevaluable(std::string(kPaths) + "\n(<= terminal (path ?a 1 ?c 2))"),
            "a rule for 'terminal' (line 2) has a variable that nothing binds");
  EXPECT_EQ(unevaluable("(<= (next (at ?x)) (true p))"),
            "a rule for 'next' (line 1) has a variable that nothing binds");
  EXPECT_EQ(unevaluable("(<= (legal ?r noop) (true p)) (<= (goal ?r 0) (true p))"), "")
      << "roles are bound";
  EXPECT_EQ(unevaluable("(any ?x) (<= (legal a (m ?x)) (any ?x))"),
            "?x stays unbound: 'any' has a rule that leaves it open, which is left out here");
  EXPECT_EQ(unevaluable("(any ?x) (<= (input a (m ?x)) (any ?x))"), "") << "tells nothing";
}

}  // namespace
}  // namespace ludens::gdl
