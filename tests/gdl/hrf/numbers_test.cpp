// SPDX-License-Identifier: MIT
// Numbers of HRF are spelled as JavaScript spells them: constants are equal where their text is.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/builtins.h"

namespace ludens::gdl::hrf {
namespace {

TEST(HrfNumbers, AreWrittenAsInJavaScript) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0, "0"},
      {-0.0, "0"},
      {7, "7"},
      {-120, "-120"},
      {0.1 + 0.2, "0.30000000000000004"},
      {123.5, "123.5"},
      {1e15, "1000000000000000"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {123456789012345678901.0, "123456789012345680000"},
      {-1.5e300, "-1.5e+300"},
      {0.0001, "0.0001"},
      {-0.00025, "-0.00025"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.25e-7, "1.25e-7"},
      {std::numeric_limits<double>::denorm_min(), "5e-324"},
  };
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(number_text(value), text);
    EXPECT_EQ(number_of(text), value);
  }
}

}  // namespace
}  // namespace ludens::gdl::hrf
