// SPDX-License-Identifier: MIT
#include "gdl/text/nearest_name.h"

#include <gtest/gtest.h>

namespace ludens::gdl {
namespace {

constexpr std::string_view kKnown[] = {"port", "strategy", "seed", "seconds"};

TEST(NearestName, FindsSwappedMissingAndReplacedLetters) {
  EXPECT_EQ(nearest_name("prot", kKnown), "port");
  EXPECT_EQ(nearest_name("stratgy", kKnown), "strategy");
  EXPECT_EQ(nearest_name("SEET", kKnown), "seed");
}

TEST(NearestName, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("margin", kKnown), std::nullopt);
  EXPECT_EQ(nearest_name("x", kKnown), std::nullopt);
  EXPECT_EQ(nearest_name("", kKnown), std::nullopt);
}

}  // namespace
}  // namespace ludens::gdl
