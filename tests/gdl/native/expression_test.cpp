// SPDX-License-Identifier: MIT
#include "gdl/native/expression.h"

#include <gtest/gtest.h>

#include <map>

#include "gdl/machine/rng.h"

namespace ludens::gdl::native {
namespace {

bool result(const Expression& e, const std::map<Value, bool>& of) {
  unsigned row = 0;
  for (unsigned i = 0; i < e.inputs; ++i) row |= (of.at(e.in[i]) ? 4U : 0U) >> i;
  return e.table >> row & 1;
}

TEST(Expression, ConjunctionsAreRightForAllInputs) {
  Rng rng(1);
  for (int round = 0; round < 5000; ++round) {
    Expression e[2];
    for (Expression& x : e) {
      for (unsigned k = rng.below(3) + 1; k-- > 0;) {
        const Expression l = literal(rng.below(4), rng.below(2) != 0);
        if (const auto joined = conjunction(x, l, 3)) {
          x = rng.below(2) != 0 ? complement(*joined) : *joined;
        }
      }
    }
    const auto both = conjunction(e[0], e[1], 3);
    if (!both) continue;
    for (unsigned bits = 0; bits < 16; ++bits) {
      std::map<Value, bool> of;
      for (Value v = 0; v < 4; ++v) of[v] = bits >> v & 1;
      ASSERT_EQ(result(*both, of), result(e[0], of) && result(e[1], of));
    }
  }
}

TEST(Expression, OperandsThatDoNotMatterAreLeftOut) {
  const auto a_and_b = *conjunction(literal(7, false), literal(8, false), 3);
  const auto a_and_not_b = *conjunction(literal(7, false), literal(8, true), 3);
  const auto nothing = *conjunction(a_and_b, a_and_not_b, 3);
  EXPECT_EQ(nothing.inputs, 0);
  EXPECT_EQ(nothing.table, 0);
  // a & (a & b -> b) is a.
  const auto a =
      *conjunction(literal(7, false), complement(*conjunction(a_and_b, literal(8, true), 3)), 3);
  EXPECT_EQ(a.inputs, 1);
  EXPECT_EQ(a.in[0], 7U);
  EXPECT_EQ(a.table, kProjection[0]);
}

TEST(Expression, HaveNoMoreOperandsThanAllowed) {
  const auto two = *conjunction(literal(1, false), literal(2, false), 2);
  EXPECT_FALSE(conjunction(two, literal(3, false), 2));
  EXPECT_TRUE(conjunction(two, literal(2, false), 2));
  EXPECT_EQ(conjunction(two, literal(3, false), 3)->inputs, 3);
}

}  // namespace
}  // namespace ludens::gdl::native
