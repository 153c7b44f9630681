// SPDX-License-Identifier: MIT
#include "gdl/interpreter/memo.h"

#include <gtest/gtest.h>

#include <set>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {
namespace {

using Row = std::vector<std::uint32_t>;

/// The answers of a call in their order.
std::vector<Row> answers(Memo& memo, std::uint32_t call) {
  std::vector<Row> rows;
  for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
    rows.emplace_back(memo.answer(a), memo.answer(a) + memo.width());
  }
  return rows;
}

std::uint32_t call_of(Memo& memo, const Row& key) {
  return memo.find_or_add(key.data());
}
bool add(Memo& memo, std::uint32_t call, const Row& row) {
  return memo.add_answer(call, row.data());
}

TEST(Memo, HasOneCallForEachKey) {
  Memo memo(2, 1, nullptr);
  const std::uint32_t one = call_of(memo, {1, 2}), other = call_of(memo, {2, 1});
  EXPECT_NE(one, other);
  EXPECT_EQ(call_of(memo, {1, 2}), one);
  EXPECT_EQ(memo.key(other)[0], 2U);
  EXPECT_EQ(memo.key(other)[1], 1U);
  EXPECT_EQ(memo.call(one).state, CallState::New);
  EXPECT_EQ(memo.call(one).count, 0U);
}

TEST(Memo, WithoutKeyHasOneCall) {
  Memo memo(0, 2, nullptr);
  EXPECT_EQ(memo.find_or_add(nullptr), 0U);
  EXPECT_EQ(memo.find_or_add(nullptr), 0U);
}

/// Widths and how many answers: few are compared one by one, many by hashes, single terms by marks.
struct Case {
  std::uint32_t key_width, width, count;
};

class MemoAnswers : public testing::TestWithParam<Case> {};

TEST_P(MemoAnswers, AreKeptOnceACallInTheOrderInWhichTheyCame) {
  const auto [key_width, width, count] = GetParam();
  Memo memo(key_width, width, nullptr);
  const auto row = [cells = width](std::uint32_t i) {
    Row out(cells, i % 3);
    if (!out.empty()) out.back() = i * 7;
    return out;
  };
  const std::uint32_t calls = key_width == 0 ? 1 : 3;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t c = 0; c < calls; ++c) numbers.push_back(call_of(memo, Row(key_width, c)));
  std::vector<std::vector<Row>> expected(calls);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t c = 0; c < calls; ++c) {  // calls grow side by side
      ASSERT_TRUE(add(memo, numbers[c], row(i + c))) << i;
      expected[c].push_back(row(i + c));
      ASSERT_FALSE(add(memo, numbers[c], row(i + c))) << i;
      ASSERT_FALSE(add(memo, numbers[c], expected[c].front())) << i;
    }
  }
  for (std::uint32_t c = 0; c < calls; ++c) {
    EXPECT_EQ(answers(memo, numbers[c]), expected[c]);
    EXPECT_EQ(memo.call(numbers[c]).count, count);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, MemoAnswers,
                         testing::Values(Case{0, 1, 1000}, Case{0, 2, 5}, Case{0, 2, 500},
                                         Case{1, 1, 5}, Case{1, 1, 500}, Case{2, 3, 100},
                                         Case{1, 0, 1}),
                         [](const auto& tested) {
                           const Case& c = tested.param;
                           return std::to_string(c.key_width) + "_" + std::to_string(c.width) +
                                  "_" + std::to_string(c.count);
                         });

TEST(Memo, WithoutColumnsHasOneAnswerAtMost) {
  Memo memo(1, 0, nullptr);
  const std::uint32_t call = call_of(memo, {5});
  EXPECT_TRUE(memo.add_answer(call, nullptr));
  EXPECT_FALSE(memo.add_answer(call, nullptr));
  EXPECT_EQ(memo.call(call).count, 1U);
}

TEST(Memo, EnteringAnotherEpochForgetsEverything) {
  for (const std::uint32_t key_width : {0U, 1U}) {
    Memo memo(key_width, 1, nullptr);
    memo.enter(4);
    for (std::uint32_t i = 0; i < 20; ++i) add(memo, call_of(memo, Row(key_width, 8)), {i});
    memo.enter(4);
    EXPECT_EQ(memo.call(0).count, 20U) << "the same tables";
    EXPECT_EQ(memo.call_count(4), 1U);
    EXPECT_EQ(memo.call_count(5), 0U) << "not of that epoch";
    memo.enter(5);
    EXPECT_EQ(memo.call_count(5), 0U);
    const std::uint32_t call = call_of(memo, Row(key_width, 8));
    EXPECT_EQ(memo.call(call).count, 0U);
    EXPECT_TRUE(add(memo, call, {3})) << "new again";
    EXPECT_EQ(answers(memo, call), std::vector<Row>{{3}});
  }
}

TEST(Memo, CopiesTheAnswersOfOneCallToRows) {
  Memo memo(1, 2, nullptr);
  add(memo, call_of(memo, {1}), {10, 11});
  add(memo, call_of(memo, {2}), {20, 21});
  add(memo, call_of(memo, {1}), {12, 13});
  Rows rows(2, nullptr);
  memo.copy_answers(call_of(memo, {1}), rows);
  ASSERT_EQ(rows.count(), 2U);
  EXPECT_EQ(Row(rows.row(0), rows.row(0) + 2), (Row{10, 11}));
  EXPECT_EQ(Row(rows.row(1), rows.row(1) + 2), (Row{12, 13}));
}

TEST(Memo, IndexesItsAnswersOnceTheyAreAskedForAndAgainInTheNextEpoch) {
  Memo memo(0, 2, nullptr);
  memo.require_indices({{0}, {1}});
  memo.require_indices({{0}, {1}, {0, 1}});
  for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) {
    memo.enter(epoch);
    memo.find_or_add(nullptr);
    for (std::uint32_t i = 0; i < 30; ++i) add(memo, 0, {i % 4, static_cast<std::uint32_t>(epoch)});
    ASSERT_FALSE(memo.index_built(0));
    const Index& index = memo.index(0);
    EXPECT_TRUE(memo.index_built(0));
    EXPECT_FALSE(memo.index_built(2));
    std::set<Row> with_two;
    for (std::uint32_t a = index.first(mix(0, 2)); a != kNone; a = index.next(a)) {
      if (memo.answer(a)[0] == 2) with_two.insert(Row(memo.answer(a), memo.answer(a) + 2));
    }
    EXPECT_EQ(with_two, (std::set<Row>{{2, static_cast<std::uint32_t>(epoch)}}));
  }
}

TEST(Memo, ThrowsWhereItsBudgetIsUsedUp) {
  MemoryBudget budget(std::size_t{256} << 10);
  Account account(&budget);
  Memo memo(0, 2, &account);
  memo.find_or_add(nullptr);
  const auto fill = [&] {
    for (std::uint32_t i = 0; i < 1'000'000; ++i) add(memo, 0, {i, i});
  };
  EXPECT_THROW(fill(), BudgetExhausted);
  EXPECT_LE(budget.used(), budget.limit());
}

/// Around the number from which on answers are hashed.
TEST(Memo, KeepsNothingForDuplicates) {
  for (std::uint32_t count = 4; count <= 8; ++count) {
    Account account(nullptr);
    Memo memo(1, 1, &account);
    const std::uint32_t call = call_of(memo, {1});
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_TRUE(add(memo, call, {i}));
    EXPECT_FALSE(add(memo, call, {0}));
    const std::size_t used = account.used();
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(add(memo, call, {0}));
    EXPECT_EQ(account.used(), used) << count;
  }
}

}  // namespace
}  // namespace ludens::gdl::interpreter
