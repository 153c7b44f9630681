// SPDX-License-Identifier: MIT
#include "gdl/interpreter/tuples.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {
namespace {

std::uint64_t key_of(std::initializer_list<std::uint32_t> values) {
  std::uint64_t hash = 0;
  for (const std::uint32_t value : values) hash = mix(hash, value);
  return hash;
}

/// Rows with these cells, `width` a row.
Rows rows_of(std::uint32_t width, const std::vector<std::uint32_t>& cells) {
  Rows rows(width, nullptr);
  for (std::size_t i = 0; i < cells.size(); i += width) copy_words(&cells[i], width, rows.add());
  return rows;
}

/// Rows of a chain that really have the key.
std::vector<std::uint32_t> found(const Rows& rows, std::uint32_t index,
                                 std::initializer_list<std::uint32_t> key) {
  std::vector<std::uint32_t> out;
  const Index& chains = rows.index(index);
  for (std::uint32_t r = chains.first(key_of(key)); r != kNone; r = chains.next(r)) {
    bool same = true;
    std::size_t i = 0;
    for (const std::uint32_t value : key)
      same = same && rows.row(r)[chains.columns()[i++]] == value;
    if (same) out.push_back(r);
  }
  return out;
}

TEST(Words, AreEqualUpToTheCountThatIsCompared) {
  const std::uint32_t a[] = {1, 2, 3}, b[] = {1, 2, 4};
  EXPECT_TRUE(equal_words(a, b, 0));
  EXPECT_TRUE(equal_words(a, b, 2));
  EXPECT_FALSE(equal_words(a, b, 3));
}

TEST(WordStack, KeepsItsWordsWhenItGrows) {
  WordStack stack(nullptr);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    std::uint32_t* words = stack.extend(2);
    words[0] = i;
    words[1] = ~i;
  }
  ASSERT_EQ(stack.size(), 2000U);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(stack.data()[2 * i], i);
    ASSERT_EQ(stack.data()[2 * i + 1], ~i);
  }
}

TEST(WordStack, AllocatesNothingMoreForWhatWasThereOnce) {
  MemoryBudget budget(1 << 20);
  Account account(&budget);
  WordStack stack(&account);
  stack.resize(5000);
  const std::size_t used = account.used();
  for (int round = 0; round < 10; ++round) {
    stack.clear();
    EXPECT_EQ(stack.size(), 0U);
    stack.resize(5000);
  }
  EXPECT_EQ(account.used(), used);
}

TEST(Rows, StandInTheOrderInWhichTheyWereAdded) {
  const Rows rows = rows_of(3, {1, 2, 3, 4, 5, 6, 1, 2, 3});
  EXPECT_EQ(rows.count(), 3U) << "repeated ones as well: they are no set";
  EXPECT_EQ(rows.width(), 3U);
  EXPECT_EQ(rows.row(1)[0], 4U);
  EXPECT_EQ(rows.row(2)[2], 3U);
}

TEST(Rows, HaveOneIndexForEachChoiceOfColumns) {
  Rows rows(3, nullptr);
  const std::uint32_t first = rows.require_index({0, 2});
  const std::uint32_t other = rows.require_index({2, 0});
  EXPECT_NE(first, other) << "the order of columns is part of the key";
  EXPECT_EQ(rows.require_index({0, 2}), first);
  EXPECT_EQ(rows.index(first).columns(), (Columns{0, 2}));
  EXPECT_FALSE(rows.index(first).built());
}

TEST(Rows, AreFoundByAnyColumnsInTheOrderOfTheRows) {
  Rows rows = rows_of(2, {1, 7, 2, 7, 1, 8, 1, 7, 2, 8});
  const std::uint32_t by_first = rows.require_index({0}), by_second = rows.require_index({1});
  const std::uint32_t by_both = rows.require_index({0, 1}), by_none = rows.require_index({});
  rows.ensure_all();
  using Found = std::vector<std::uint32_t>;
  EXPECT_EQ(found(rows, by_first, {1}), (Found{0, 2, 3}));
  EXPECT_EQ(found(rows, by_second, {8}), (Found{2, 4}));
  EXPECT_EQ(found(rows, by_both, {1, 7}), (Found{0, 3}));
  EXPECT_EQ(found(rows, by_both, {2, 9}), Found{});
  EXPECT_EQ(found(rows, by_none, {}), (Found{0, 1, 2, 3, 4}));
}

TEST(Rows, OfAnEmptyRelationAreNotFound) {
  Rows rows(1, nullptr);
  const std::uint32_t index = rows.require_index({0});
  rows.ensure(index);
  EXPECT_TRUE(rows.index(index).built());
  EXPECT_EQ(rows.index(index).first(key_of({5})), kNone);
}

TEST(Rows, AreForgottenWithTheirIndicesWhenCleared) {
  Rows rows = rows_of(1, {3, 4, 5});
  const std::uint32_t index = rows.require_index({0});
  rows.ensure(index);
  rows.clear();
  EXPECT_EQ(rows.count(), 0U);
  EXPECT_FALSE(rows.index(index).built());
  *rows.add() = 9;
  rows.ensure(index);
  EXPECT_TRUE(found(rows, index, {3}).empty());
  EXPECT_EQ(found(rows, index, {9}), std::vector<std::uint32_t>{0});
}

TEST(Index, IsRightAfterManyBuildsOfChangingSize) {
  Rows rows(2, nullptr);
  const std::uint32_t index = rows.require_index({0});
  for (std::uint32_t round = 1; round <= 50; ++round) {
    rows.clear();
    const std::uint32_t count = round * 37 % 200;
    std::map<std::uint32_t, std::vector<std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t* row = rows.add();
      row[0] = i * i % 23;
      row[1] = i;
      expected[row[0]].push_back(i);
    }
    rows.ensure(index);
    for (std::uint32_t key = 0; key < 23; ++key) {
      ASSERT_EQ(found(rows, index, {key}), expected[key]) << round << " " << key;
    }
  }
}

TEST(Index, TakesRowsOfALayoutWithOtherWordsBetweenThem) {
  const std::uint32_t cells[] = {10, 1, 99, 20, 2, 99, 30, 1, 99};
  Index index({1}, nullptr);
  index.build(cells, 3, 3);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = index.first(key_of({1})); r != kNone; r = index.next(r)) {
    if (cells[r * 3 + 1] == 1) rows.push_back(r);
  }
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{0, 2}));
}

TEST(HashTable, GivesTheValueThatIsTheSameOrEntersTheFreshOne) {
  HashTable table(nullptr);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::uint32_t key = i * 2654435761U;
    const auto same = [&](std::uint32_t value) { return keys[value] == key; };
    ASSERT_EQ(table.find_or_add(mix(0, key), i, same), kNone);
    keys.push_back(key);
    ASSERT_EQ(table.find_or_add(mix(0, key), 99'999, same), i) << "not entered again";
  }
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const auto same = [&](std::uint32_t value) { return keys[value] == keys[i]; };
    ASSERT_EQ(table.find_or_add(mix(0, keys[i]), 99'999, same), i) << "after it has grown";
  }
}

TEST(HashTable, TellsValuesOfOneHashApart) {
  HashTable table(nullptr);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(table.find_or_add(42, i, [&](std::uint32_t value) { return value == i; }), kNone);
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(table.find_or_add(42, 1000, [&](std::uint32_t value) { return value == i; }), i);
  }
}

TEST(HashTable, KnowsNothingAfterItWasCleared) {
  HashTable table(nullptr);
  const auto any = [](std::uint32_t) { return true; };
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < 100; ++i) {
      ASSERT_EQ(table.find_or_add(mix(0, i), i, [&](std::uint32_t v) { return v == i; }), kNone);
    }
    ASSERT_EQ(table.find_or_add(mix(0, 5), 0, any), 5U);
    table.clear();
  }
}

}  // namespace
}  // namespace ludens::gdl::interpreter
