// SPDX-License-Identifier: MIT
#include "gdl/rules/negated_conjunctions.h"

#include <gtest/gtest.h>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

/// One rule with so many negated conjunctions, each with a variable of its own.
std::string with_conjunctions(int count) {
  std::string text = "(<= p";
  for (int i = 0; i < count; ++i) {
    const std::string z = "?z" + std::to_string(i);
    text += " (not (and (q " + z + ") (r " + z + ")))";
  }
  return text + ")";
}

class NegatedConjunctionsOf {
 public:
  explicit NegatedConjunctionsOf(const std::string& text) {
    rules_.source = std::make_shared<const SyntaxTree>(parse(text).tree);
    rules_.forms.assign(1, *rules_.source->forms().begin());
  }

  /// What the form becomes if the allowance ends with this question.
  std::optional<std::vector<Clause>> lift(int patience) {
    FreshRelations fresh(rules_);
    std::size_t budget = 1'000'000;
    NegatedConjunctions conjunctions(rules_, fresh, diagnostics_, budget,
                                     [&](std::size_t, std::size_t made) {
                                       bytes = made;
                                       return ++asked < patience;
                                     });
    return conjunctions.lift(*ClauseReader(rules_, diagnostics_).read(rules_.forms[0]));
  }

  int asked = 0;
  std::size_t bytes = 0;  // named in the last question

 private:
  Rules rules_;
  DiagnosticList diagnostics_;
};

TEST(NegatedConjunctions, EachRelationKnowsItsOwnVariablesAlone) {
  constexpr int kMany = 2000;
  NegatedConjunctionsOf rule(with_conjunctions(kMany));
  const auto clauses = rule.lift(kMany + 1);
  ASSERT_TRUE(clauses);
  ASSERT_EQ(clauses->size(), kMany + 1U);
  std::size_t variables = 0;
  for (const Clause& clause : *clauses) variables += clause.variables.size();
  EXPECT_LE(variables, 4U * kMany);
  EXPECT_EQ(rule.asked, kMany);
  EXPECT_GE(rule.bytes, kMany * sizeof(Clause));
  EXPECT_LE(rule.bytes, kMany * std::size_t{1000});
}

TEST(NegatedConjunctions, AreGivenUpWhereTheAllowanceEnds) {
  NegatedConjunctionsOf rule(with_conjunctions(10));
  EXPECT_FALSE(rule.lift(3));
  EXPECT_EQ(rule.asked, 3);
}

}  // namespace
}  // namespace ludens::gdl
