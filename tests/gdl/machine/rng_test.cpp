// SPDX-License-Identifier: MIT
// Draws in proportion to weights.
#include "gdl/machine/rng.h"

#include <gtest/gtest.h>

#include <vector>

namespace ludens::gdl {
namespace {

TEST(DrawIndex, FindsTheWeightThatContainsThePoint) {
  const std::vector<double> weights{1, 2, 0.5};
  EXPECT_EQ(draw_index(weights, 0), 0U);
  EXPECT_EQ(draw_index(weights, 0.99), 0U);
  EXPECT_EQ(draw_index(weights, 1), 1U);
  EXPECT_EQ(draw_index(weights, 2.99), 1U);
  EXPECT_EQ(draw_index(weights, 3), 2U);
  EXPECT_EQ(draw_index(weights, 3.49), 2U);
}

TEST(DrawIndex, NeverDrawsAWeightOfZero) {
  const std::vector<double> weights{0, 1, 0, 1, 0};
  EXPECT_EQ(draw_index(weights, 0), 1U);
  EXPECT_EQ(draw_index(weights, 1), 3U);
}

TEST(DrawIndex, GivesAPointBehindAllWeightsToTheLastAboveZero) {
  EXPECT_EQ(draw_index(std::vector<double>{0.5, 0.25, 0}, 0.9), 1U);
}

}  // namespace
}  // namespace ludens::gdl
