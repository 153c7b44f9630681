// SPDX-License-Identifier: MIT
#include "gdl/interpreter/account.h"

#include <gtest/gtest.h>

#include <memory>

namespace ludens::gdl::interpreter {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

TEST(Account, ReservesByChunksSoThatTheBudgetIsSeldomTouched) {
  MemoryBudget budget(10 * kChunk);
  Account account(&budget);
  EXPECT_EQ(budget.used(), 0U) << "nothing was charged yet";
  account.charge(1);
  EXPECT_EQ(budget.used(), kChunk);
  account.charge(kChunk - 1);
  EXPECT_EQ(budget.used(), kChunk) << "exactly full";
  account.charge(1);
  EXPECT_EQ(budget.used(), 2 * kChunk);
  EXPECT_EQ(account.used(), kChunk + 1);
}

TEST(Account, KeepsWhatItReservedUntilItGoes) {
  MemoryBudget budget(10 * kChunk);
  {
    Account account(&budget);
    account.charge(3 * kChunk);
    account.refund(3 * kChunk);
    EXPECT_EQ(account.used(), 0U);
    EXPECT_EQ(budget.used(), 3 * kChunk);
    account.charge(2 * kChunk);
    EXPECT_EQ(budget.used(), 3 * kChunk) << "from what was refunded";
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Account, ChargesNothingWhereItThrows) {
  MemoryBudget budget(2 * kChunk);
  Account account(&budget);
  account.charge(kChunk);
  EXPECT_THROW(account.charge(kChunk + 1), BudgetExhausted);
  EXPECT_EQ(account.used(), kChunk);
  EXPECT_EQ(budget.used(), kChunk);
  account.charge(kChunk);
  EXPECT_EQ(account.used(), 2 * kChunk) << "the rest is still to be had";
}

TEST(Account, HasABoundWithoutABudgetToo) {
  Account account(nullptr);
  EXPECT_EQ(account.budget(), nullptr);
  account.charge(kUnbudgetedBytes);
  EXPECT_THROW(account.charge(1), BudgetExhausted);
  account.refund(1);
  account.charge(1);
}

TEST(Account, SharesABudgetWithOthers) {
  MemoryBudget budget(3 * kChunk);
  Account one(&budget);
  one.charge(1);
  {
    Account other(&budget);
    other.charge(2 * kChunk);
    EXPECT_THROW(one.charge(kChunk), BudgetExhausted);
  }
  one.charge(kChunk);
  EXPECT_EQ(budget.used(), 2 * kChunk);
}

TEST(CountedVector, IsChargedForItsCapacityWhileItLives) {
  MemoryBudget budget(10 * kChunk);
  Account account(&budget);
  {
    CountedVector<std::uint32_t> words{Counted<std::uint32_t>(&account)};
    words.reserve(1000);
    EXPECT_EQ(account.used(), 1000 * sizeof(std::uint32_t));
    words.resize(10);
    EXPECT_EQ(account.used(), 1000 * sizeof(std::uint32_t));
    const CountedVector<std::uint32_t> copy = words;
    EXPECT_GE(account.used(), 1010 * sizeof(std::uint32_t)) << "a copy counts as well";
  }
  EXPECT_EQ(account.used(), 0U);
}

TEST(CountedVector, KeepsWhatItHasWhereGrowingFails) {
  MemoryBudget budget(kChunk);
  Account account(&budget);
  CountedVector<std::uint64_t> words(100, 7, Counted<std::uint64_t>(&account));
  EXPECT_THROW(words.resize(kChunk), BudgetExhausted);
  EXPECT_EQ(words.size(), 100U);
  EXPECT_EQ(words.back(), 7U);
  EXPECT_EQ(account.used(), 100 * sizeof(std::uint64_t));
}

TEST(CountedVector, WithoutAnAccountCountsNothing) {
  CountedVector<std::uint64_t> words(1000, 1);
  EXPECT_EQ(words.get_allocator().account(), nullptr);
  words.resize(100'000);
  EXPECT_EQ(words[99'999], 0U);
}

TEST(Counted, AllocatorsAreEqualWhereTheyChargeTheSameAccount) {
  MemoryBudget budget(kChunk);
  Account one(&budget), other(&budget);
  EXPECT_EQ(Counted<int>(&one), Counted<int>(&one));
  EXPECT_FALSE(Counted<int>(&one) == Counted<int>(&other));
  EXPECT_EQ(Counted<int>(Counted<char>(&one)).account(), &one) << "rebound";
}

}  // namespace
}  // namespace ludens::gdl::interpreter
