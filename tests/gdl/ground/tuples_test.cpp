// SPDX-License-Identifier: MIT
#include "gdl/ground/tuples.h"

#include <gtest/gtest.h>

#include "gdl/memory/hash.h"

namespace ludens::gdl {
namespace {

TEST(Tuples, KeepsEachRowOnceInOrder) {
  Tuples t(2);
  const std::uint32_t a[] = {1, 2}, b[] = {2, 1};
  EXPECT_TRUE(t.insert(a));
  EXPECT_TRUE(t.insert(b));
  EXPECT_FALSE(t.insert(a));
  EXPECT_EQ(t.size(), 2u);
  EXPECT_EQ(t.find(b), 1u);
  const std::uint32_t c[] = {2, 2};
  EXPECT_EQ(t.find(c), kNoRow);
}

TEST(Tuples, ARelationWithoutColumnsHoldsOneRow) {
  Tuples t(0);
  EXPECT_EQ(t.find(nullptr), kNoRow);
  EXPECT_TRUE(t.insert(nullptr));
  EXPECT_FALSE(t.insert(nullptr));
  EXPECT_EQ(t.find(nullptr), 0u);
}

TEST(Tuples, IndexFindsAllRowsOfAKeyNewestFirst) {
  Tuples t(2);
  Tuples::Index& index = t.index(0b01);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t row[] = {i % 10, i};
    t.insert(row);
    if (i == 500) t.extend(index);  // grows by parts
  }
  t.extend(index);
  std::vector<std::uint32_t> found;
  const std::uint64_t key = index.hash([](std::uint32_t) { return 7; });
  for (RowId r = index.first(key); r != kNoRow; r = index.next(r)) {
    if (t.row(r)[0] == 7) found.push_back(t.row(r)[1]);
  }
  ASSERT_EQ(found.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(found[i], 997 - 10 * i);
}

TEST(Tuples, HaveOneIndexForEachChoiceOfColumns) {
  Tuples t(3);
  Tuples::Index& index = t.index(0b101);
  EXPECT_EQ(&t.index(0b101), &index);
  EXPECT_NE(&t.index(0b011), &index);
  EXPECT_EQ(index.first(0), kNoRow) << "nothing was brought in yet";
}

TEST(Tuples, BringRowsIntoAnIndexByPartsWhereToldTo) {
  Tuples t(1);
  for (std::uint32_t i = 0; i < 1000; ++i) t.insert(&i);
  Tuples::Index& index = t.index(1);
  int parts = 1;
  while (!t.extend(index, 300)) ++parts;
  EXPECT_EQ(parts, 4);
  EXPECT_TRUE(t.extend(index)) << "all are there";
  const std::uint32_t last = 999;
  EXPECT_EQ(index.first(mix(kHashStart, last)), 999U);
}

TEST(Tuples, EstimateHowManyValuesAColumnHas) {
  Tuples t(3);
  EXPECT_EQ(t.distinct(0), 1) << "nothing is known";
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const std::uint32_t row[] = {7, i % 10, i};
    t.insert(row);
  }
  EXPECT_EQ(t.distinct(0), 1);
  EXPECT_EQ(t.distinct(1), 10);
  EXPECT_NEAR(t.distinct(2), 4000, 400) << "each row has its own";
}

TEST(Tuples, EstimateAgainWhenThereAreTwiceAsManyRows) {
  Tuples t(1);
  const auto fill = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = from; i < to; ++i) t.insert(&i);
  };
  fill(0, 100);
  EXPECT_EQ(t.distinct(0), 100);
  fill(100, 199);
  EXPECT_EQ(t.distinct(0), 100) << "still good enough";
  fill(199, 200);
  EXPECT_EQ(t.distinct(0), 200);
}

TEST(Tuples, CountTheirBytesAndFreeIndices) {
  Tuples t(2);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const std::uint32_t row[] = {i, i};
    t.insert(row);
  }
  const std::size_t without = t.bytes();
  EXPECT_GE(without, 10'000 * 2 * sizeof(std::uint32_t));
  t.extend(t.index(1));
  EXPECT_GE(t.bytes(), without + 10'000 * sizeof(RowId));
  t.drop_indices();
  EXPECT_EQ(t.bytes(), without);
}

}  // namespace
}  // namespace ludens::gdl
