// SPDX-License-Identifier: MIT
#include "server/cli/learning_curve.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace ludens::server {
namespace {

search::Score score_of(std::initializer_list<double> shares) {
  search::Score score;
  for (const double share : shares) score.add(share);
  return score;
}

TEST(LearningCurve, HasTicksAtRoundNumbers) {
  EXPECT_DOUBLE_EQ(tick_distance(10), 1);
  EXPECT_DOUBLE_EQ(tick_distance(11), 2);
  EXPECT_DOUBLE_EQ(tick_distance(60), 10);
  EXPECT_DOUBLE_EQ(tick_distance(3600), 500);
  EXPECT_DOUBLE_EQ(tick_distance(0.3), 0.05);
}

TEST(LearningCurve, GoesThroughAllPoints) {
  LearningCurve curve("a < b & c");
  curve.add(5, score_of({0.5, 0}));
  curve.add(10, score_of({1, 1, 1, 1}));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(curve.svg().c_str()));
  const pugi::xml_node svg = document.child("svg");
  EXPECT_STREQ(svg.child("text").child_value(), "a < b & c");
  const auto dots = svg.children("circle");
  ASSERT_EQ(std::distance(dots.begin(), dots.end()), 2);
  const double middle = (60 + 740) / 2.0;  // of the picture, at half of the time
  EXPECT_DOUBLE_EQ(svg.child("circle").attribute("cx").as_double(), middle);
  EXPECT_DOUBLE_EQ(svg.last_child().attribute("cy").as_double(), 50);  // the top
}

TEST(LearningCurve, IsAPictureWithoutPoints) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(LearningCurve("nothing").svg().c_str()));
}

}  // namespace
}  // namespace ludens::server
