// SPDX-License-Identifier: MIT
#include "gdl/program/registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <span>

#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

TEST(Registers, AreZerosAndCountedWhateverTheirSize) {
  constexpr std::size_t kLarge = (std::size_t{5} << 20) + 64;  // more than two large pages
  MemoryBudget budget(kLarge);
  Registers registers;
  for (const std::size_t bytes : {std::size_t{64}, kLarge, std::size_t{4096}}) {
    ASSERT_TRUE(registers.allocate(bytes, &budget));
    EXPECT_EQ(budget.used(), bytes);
    const std::span content(static_cast<char*>(registers.data()), bytes);
    EXPECT_TRUE(std::ranges::all_of(content, [](char byte) { return byte == 0; }));
    std::memset(registers.data(), 1, bytes);
  }
  EXPECT_FALSE(registers.allocate(kLarge + 1, &budget));
  EXPECT_FALSE(registers);
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Registers, HoldNothingThatTheSystemDoesNotHave) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer ends the process where memory is missing";
  MemoryBudget budget(std::numeric_limits<std::size_t>::max());
  {
    Registers registers;
    EXPECT_THROW((void)registers.allocate(std::size_t{1} << 60, &budget), std::bad_alloc);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace ludens::gdl
