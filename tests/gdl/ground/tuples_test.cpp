#include "gdl/ground/tuples.h"

#include <gtest/gtest.h>

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
  const std::uint64_t key = Tuples::hash_step(Tuples::hash_start(), 7);
  for (RowId r = index.first(key); r != kNoRow; r = index.next(r)) {
    if (t.row(r)[0] == 7) found.push_back(t.row(r)[1]);
  }
  ASSERT_EQ(found.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(found[i], 997 - 10 * i);
}

}  // namespace
}  // namespace ludens::gdl
