// SPDX-License-Identifier: MIT
#include "gdl/interpreter/term_store.h"

#include <gtest/gtest.h>

namespace ludens::gdl::interpreter {
namespace {

using Cells = std::vector<std::uint32_t>;

/// `f(a, b)` with numbers for names.
TermId term(TermStore& store, SymbolId functor, const std::vector<TermId>& arguments) {
  return store.compound(store.functor(functor, static_cast<std::uint32_t>(arguments.size())),
                        arguments.data());
}

Cells written(const TermStore& store, TermId t) {
  Cells cells;
  store.write(t, cells);
  return cells;
}

TEST(TermStore, EqualTermsAreOneNumber) {
  TermStore store;
  const TermId a = store.constant(1), b = store.constant(2);
  EXPECT_NE(a, b);
  EXPECT_EQ(store.constant(1), a);
  const TermId f = term(store, 9, {a, b});
  EXPECT_EQ(term(store, 9, {a, b}), f);
  EXPECT_NE(term(store, 9, {b, a}), f);
  EXPECT_EQ(store.size(), 4U);
}

TEST(TermStore, AConstantAndAFunctorOfOneNameAreTwo) {
  TermStore store;
  const TermId a = store.constant(1);
  const TermId f = term(store, 1, {a});
  EXPECT_TRUE(store.is_constant(a));
  EXPECT_FALSE(store.is_constant(f));
  EXPECT_EQ(store.functor_of(a), kNone);
  EXPECT_EQ(store.symbol_of(a), 1U);
}

TEST(TermStore, FunctorsOfOneNameAndTwoAritiesAreTwo) {
  TermStore store;
  const FunctorId one = store.functor(7, 1), two = store.functor(7, 2);
  EXPECT_NE(one, two);
  EXPECT_EQ(store.functor(7, 1), one);
  EXPECT_EQ(store.functor_count(), 2U);
  EXPECT_EQ(store.functor_at(two).symbol, 7U);
  EXPECT_EQ(store.functor_at(two).arity, 2U);
}

TEST(TermStore, KeepsTheArgumentsOfACompoundInOrder) {
  TermStore store;
  const TermId a = store.constant(1), b = store.constant(2);
  const TermId inner = term(store, 5, {b});
  const TermId t = term(store, 4, {a, inner, a});
  EXPECT_EQ(store.functor_of(t), store.functor(4, 3));
  const TermId* arguments = store.arguments(t);
  EXPECT_EQ((std::vector<TermId>(arguments, arguments + 3)), (std::vector<TermId>{a, inner, a}));
}

TEST(TermStore, FindsEachOfManyTermsAgain) {
  TermStore store;
  std::vector<TermId> ids{store.constant(0)};
  for (std::uint32_t i = 1; i < 3000; ++i) {
    ids.push_back(i % 3 == 0 ? store.constant(i) : term(store, i % 7, {ids[i / 2], ids[i - 1]}));
  }
  EXPECT_EQ(store.size(), 3000U) << "all differ";
  for (std::uint32_t i = 1; i < 3000; ++i) {
    ASSERT_EQ(ids[i],
              i % 3 == 0 ? store.constant(i) : term(store, i % 7, {ids[i / 2], ids[i - 1]}));
  }
  EXPECT_EQ(store.size(), 3000U);
}

TEST(TermStore, WritesATermInPreorderAndReadsItBack) {
  TermStore store;
  const TermId a = store.constant(1), b = store.constant(2);
  const TermId t = term(store, 3, {a, term(store, 4, {b, a}), b});
  const Cells cells = written(store, t);
  EXPECT_EQ(cells, (Cells{3 * 2 + 1, 3, 1 * 2, 4 * 2 + 1, 2, 2 * 2, 1 * 2, 2 * 2}));
  EXPECT_EQ(store.read(cells), t);
  EXPECT_EQ(written(store, a), Cells{2});
  TermStore other;
  EXPECT_EQ(written(other, other.read(cells)), cells) << "a term that it did not know";
}

TEST(TermStore, AppendsToWhatIsWrittenAlready) {
  TermStore store;
  Cells cells{77};
  store.write(store.constant(1), cells);
  store.write(store.constant(2), cells);
  EXPECT_EQ(cells, (Cells{77, 2, 4}));
}

TEST(TermStore, WritesAndReadsDeepTermsWithoutRecursion) {
  TermStore store;
  TermId t = store.constant(1);
  for (int i = 0; i < 50'000; ++i) t = term(store, 2, {t});
  const Cells cells = written(store, t);
  EXPECT_EQ(cells.size(), 100'001U);
  EXPECT_EQ(store.read(cells), t);
}

TEST(TermStore, DoesNotWriteTermsThatAreTooLongHoweverSmallTheyAreStored) {
  TermStore store;
  TermId t = store.constant(1);
  // Each level is twice as long: 2^n constants, and two cells a function.
  int level = 0;
  for (std::size_t cells = 1; 2 * cells + 2 <= kMostCells; cells = 2 * cells + 2, ++level) {
    t = term(store, 2, {t, t});
  }
  EXPECT_LE(written(store, t).size(), kMostCells);
  for (int more = 0; more < 100; ++more) {
    t = term(store, 2, {t, t});
    Cells cells;
    ASSERT_THROW(store.write(t, cells), BudgetExhausted) << level + more;
    ASSERT_TRUE(cells.empty());
  }
}

TEST(TermStore, ACopyGoesOnByItself) {
  TermStore base;
  const TermId a = base.constant(1);
  const TermId f = term(base, 2, {a});
  MemoryBudget budget(1 << 20);
  Account account(&budget);
  TermStore copy(base, &account);
  EXPECT_GT(account.used(), 0U) << "counted where the copy belongs";
  EXPECT_EQ(copy.constant(1), a);
  EXPECT_EQ(term(copy, 2, {a}), f);
  const TermId added = copy.constant(3);
  EXPECT_EQ(base.size(), 2U);
  EXPECT_EQ(base.constant(4), added) << "the same number, another term";
  EXPECT_EQ(copy.symbol_of(added), 3U);
}

TEST(TermStore, ThrowsWhereItsBudgetIsUsedUpAndStaysAsItWas) {
  MemoryBudget budget(std::size_t{64} << 10);
  Account account(&budget);
  TermStore store(&account);
  std::uint32_t made = 0;
  try {
    for (; made < 1'000'000; ++made) store.constant(made);
    FAIL() << "64 kB for a million terms";
  } catch (const BudgetExhausted&) {
  }
  EXPECT_GT(made, 100U);
  EXPECT_EQ(store.symbol_of(store.constant(50)), 50U);
  EXPECT_LE(budget.used(), budget.limit());
}

}  // namespace
}  // namespace ludens::gdl::interpreter
