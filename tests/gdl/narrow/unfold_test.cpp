// SPDX-License-Identifier: MIT
#include "gdl/narrow/unfold.h"

#include <gtest/gtest.h>

#include "tests/gdl/ground/flat_rules.h"

namespace ludens::gdl {
namespace {

using tests::negative;
using tests::positive;
using tests::symbol;
using tests::var;

std::optional<std::vector<FlatRule>> unfolded(const std::vector<FlatRule>& rules,
                                              const std::vector<bool>& wide) {
  StopPoll poll(nullptr);
  return unfold(rules, wide, poll);
}

TEST(Unfold, PutsBodiesInThePlaceOfLiterals) {
  const auto rules = unfolded({tests::rule(0, {var(0)}, {positive(1, {var(0), symbol(7), var(1)})}),
                               tests::rule(1, {var(2), var(1), var(1)},
                                           {positive(2, {var(2)}), negative(3, {var(1), var(0)})})},
                              {false, true, false, false});
  ASSERT_TRUE(rules.has_value());
  ASSERT_EQ(rules->size(), 1U);
  const FlatRule& rule = rules->front();
  EXPECT_EQ(rule.head, 0U);
  EXPECT_EQ(rule.columns, (std::vector<FlatTerm>{var(0)}));
  ASSERT_EQ(rule.body.size(), 2U);
  EXPECT_EQ(rule.body[0].columns, (std::vector<FlatTerm>{var(0)}));
  EXPECT_EQ(rule.body[1].kind, Literal::Kind::Negative);
  EXPECT_EQ(rule.body[1].columns, (std::vector<FlatTerm>{symbol(7), var(1)}));
  EXPECT_EQ(rule.variables, 2U);
}

TEST(Unfold, MakesARuleForEachCombinationThatMatches) {
  std::vector<FlatRule> rules{
      tests::rule(0, {}, {positive(1, {var(0)}), positive(1, {var(1)}), positive(2, {var(0)})})};
  for (const std::uint32_t s : {5, 6, 7}) rules.push_back(tests::rule(1, {symbol(s)}, {}));
  EXPECT_EQ(unfolded(rules, {false, true, false})->size(), 9U);
  rules.front().body[1].columns[0] = symbol(6);
  EXPECT_EQ(unfolded(rules, {false, true, false})->size(), 3U);
  rules.front().body[0].columns[0] = symbol(8);
  EXPECT_TRUE(unfolded(rules, {false, true, false})->empty()) << "nothing says 8";
}

TEST(Unfold, EndsWhereRulesAreTooMany) {
  // Each of twenty relations asks twice for the next.
  std::vector<FlatRule> rules;
  for (std::uint32_t r = 0; r < 20; ++r) {
    for (int twice = 0; twice < 2; ++twice) {
      rules.push_back(tests::rule(r, {}, {positive(r + 1, {}), positive(21, {})}));
    }
  }
  std::vector<bool> wide(22, true);
  wide[0] = wide[20] = wide[21] = false;
  EXPECT_EQ(unfolded(rules, wide), std::nullopt);
}

}  // namespace
}  // namespace ludens::gdl
