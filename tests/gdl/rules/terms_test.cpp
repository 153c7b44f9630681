// SPDX-License-Identifier: MIT
#include "gdl/rules/terms.h"

#include <gtest/gtest.h>

#include "gdl/rules/symbols.h"

namespace ludens::gdl {
namespace {

TEST(Symbols, FoldCaseAndKeepTheFirstSpelling) {
  Symbols symbols;
  const SymbolId id = symbols.intern("timeOut");
  EXPECT_EQ(symbols.intern("TIMEOUT"), id);
  EXPECT_EQ(symbols.spelling(id), "timeOut");
  EXPECT_EQ(symbols.folded(id), "timeout");
  EXPECT_NE(symbols.intern("007"), symbols.intern("7"));
  EXPECT_EQ(symbols.find("nothing"), std::nullopt);
}

TEST(Symbols, KeepReservedNamesApart) {
  Symbols symbols;
  const SymbolId reserved = symbols.add_reserved("legal");
  EXPECT_EQ(symbols.find("legal"), std::nullopt);
  EXPECT_NE(symbols.intern("Legal"), reserved);
  EXPECT_EQ(symbols.spelling(*symbols.find("legal")), "Legal");
}

TEST(Symbols, StayValidWhenMoved) {
  Symbols symbols;
  const SymbolId id = symbols.intern("a");
  const Symbols moved = std::move(symbols);
  EXPECT_EQ(moved.find("A"), id);
}

TEST(Terms, EqualTermsAreOne) {
  Terms terms;
  const Term a = terms.constant(0), x = terms.variable(0);
  EXPECT_NE(a, x);
  const Term f = terms.compound(1, std::vector{a, x});
  EXPECT_EQ(terms.compound(1, std::vector{a, x}), f);
  EXPECT_NE(terms.compound(1, std::vector{x, a}), f);
  EXPECT_NE(terms.compound(2, std::vector{a, x}), f);
  EXPECT_EQ(terms.size(), 5u);
}

TEST(Terms, KnowTheirDepthSizeAndVariables) {
  Terms terms;
  const Term a = terms.constant(0), x = terms.variable(3), y = terms.variable(1);
  const Term inner = terms.compound(1, std::vector{x, a});
  const Term t = terms.compound(1, std::vector{inner, y, x});
  EXPECT_TRUE(terms.is_ground(a));
  EXPECT_FALSE(terms.is_ground(t));
  EXPECT_EQ(terms.depth(t), 3u);
  EXPECT_EQ(terms.symbol_count(t), 6u);
  std::vector<std::uint32_t> variables;
  terms.append_variables(t, variables);
  EXPECT_EQ(variables, (std::vector<std::uint32_t>{3, 1, 3}));
}

TEST(Terms, CountSymbolsWithoutOverflow) {
  Terms terms;
  Term t = terms.constant(0);
  for (int i = 0; i < 100; ++i) t = terms.compound(1, std::vector{t, t});
  EXPECT_EQ(terms.symbol_count(t), 0xffffffffu);
}

}  // namespace
}  // namespace ludens::gdl
