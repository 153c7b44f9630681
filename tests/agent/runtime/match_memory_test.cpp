// SPDX-License-Identifier: MIT
#include "agent/runtime/match_memory.h"

#include <gtest/gtest.h>

namespace ludens::agent {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 20;

TEST(MatchMemory, LeavesTheRefereeItsShareWhateverTheSearchTakes) {
  const MatchMemory memory(16 * kPart);
  ASSERT_TRUE(memory.search->reserve(12 * kPart));
  EXPECT_FALSE(memory.search->reserve(1));
  EXPECT_TRUE(memory.rules->reserve(3 * kPart));
  EXPECT_FALSE(memory.rules->reserve(1));
}

TEST(MatchMemory, LeavesNamesASixteenth) {
  const MatchMemory memory(16 * kPart);
  ASSERT_TRUE(memory.search->reserve(12 * kPart));
  EXPECT_TRUE(memory.names->reserve(kPart));
  EXPECT_FALSE(memory.names->reserve(1));
  memory.search->release(3 * kPart);
  EXPECT_TRUE(memory.names->reserve(3 * kPart));
  EXPECT_FALSE(memory.names->reserve(1)) << "a quarter is the most";
}

TEST(MatchMemory, IsCountedInTheWhole) {
  const auto whole = std::make_shared<gdl::MemoryBudget>(20 * kPart);
  const MatchMemory one(16 * kPart, whole), other(16 * kPart, whole);
  ASSERT_TRUE(one.search->reserve(12 * kPart));
  EXPECT_FALSE(other.search->reserve(12 * kPart));
  EXPECT_TRUE(other.search->reserve(8 * kPart));
  EXPECT_FALSE(other.rules->reserve(1));
  EXPECT_EQ(whole->used(), 20 * kPart);
}

}  // namespace
}  // namespace ludens::agent
