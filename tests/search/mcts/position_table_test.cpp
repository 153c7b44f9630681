// SPDX-License-Identifier: MIT
#include "search/mcts/position_table.h"

#include <gtest/gtest.h>

namespace ludens::search::mcts {
namespace {

/// What is reserved is given back to the system, page by page. Beyond the table's own pages lie
/// those of others.
TEST(PositionTable, NeverReservesMoreThanItMapped) {
  constexpr std::size_t kLists = PositionTable::kLeastBytes / PositionTable::kListBytes;
  const Arena arena(nullptr, std::size_t{1} << 20);
  for (const std::size_t most : {std::size_t{1}, kLists, kLists + 512, 3 * kLists - 1}) {
    PositionTable table(arena, nullptr, most);
    ASSERT_TRUE(table.open());
    table.grow(10 * kLists);
    EXPECT_LE(table.bytes(), std::max(most, kLists) * PositionTable::kListBytes) << most;
    EXPECT_EQ(table.list_count() * PositionTable::kListBytes, table.bytes()) << most;
  }
}

TEST(PositionTable, GrowsWithItsNodesAndBeginsAnew) {
  constexpr std::size_t kLists = PositionTable::kLeastBytes / PositionTable::kListBytes;
  const Arena arena(nullptr, std::size_t{1} << 20);
  gdl::MemoryBudget memory(4 * PositionTable::kLeastBytes);
  PositionTable table(arena, &memory, 8 * kLists);
  ASSERT_TRUE(table.open());
  table.grow(5000);
  EXPECT_EQ(table.list_count(), 5000u);
  table.grow(8 * kLists);
  EXPECT_EQ(table.list_count(), 4 * kLists) << "there is memory for no more";
  table.clear();
  EXPECT_EQ(memory.used(), 0u);
  ASSERT_TRUE(table.open());
  EXPECT_LT(table.list_count(), 5000u);
}

}  // namespace
}  // namespace ludens::search::mcts
