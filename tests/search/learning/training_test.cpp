// SPDX-License-Identifier: MIT
#include "search/learning/training.h"

#include <gtest/gtest.h>

namespace ludens::search::test {
namespace {

/// One tuple of one variable of two values.
TupleForm small_form() {
  TupleForm form;
  form.variables.push_back({.fluents = {0}});
  form.tuples.push_back({0});
  return form;
}

/// Sums of float stop growing by such errors at two million.
TEST(Training, CountsErrorsHoweverManyItHasMet) {
  const TableLayout layout(small_form());
  Training training(layout, 1, 0);  // the rate: weights stay 0, and values 1/2
  std::vector<TrainedWeight> weights(training.weight_count());
  weights[0].error_size = 1 << 21;
  training.restore(weights);
  const std::vector<std::uint16_t> indices(tables::kLanes, 0);
  for (int i = 0; i < 1'000'000; ++i) {
    training.learn({}, indices.data(), i % 2 == 0 ? 0.6F : 0.4F);
  }
  for (int i = 0; i < 100'000; ++i) training.learn({}, indices.data(), 0.6F);
  const TrainedWeight met = training.trained()[0];
  EXPECT_NEAR(met.error_sum, 10'000, 10);
  EXPECT_NEAR(met.error_size, (1 << 21) + 110'000, 10);
}

}  // namespace
}  // namespace ludens::search::test
