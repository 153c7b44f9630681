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

/// Two values of a variable at once may lead anywhere beyond its tuple.
TEST(Training, ChangesNoOtherValueBeyondTheEntries) {
  TupleForm form = small_form();
  form.variables[0].fluents.resize(300);
  const TableLayout layout(form);
  std::vector<std::uint16_t> here(tables::kLanes, 0), there(tables::kLanes, 0);
  here[1] = 1;  // mobility
  there[1] = 2;
  const std::size_t most = 0xffff;
  for (const std::size_t beyond : {layout.used(), layout.used() + 1, most}) {
    SCOPED_TRACE(beyond);
    Training training(layout, 1, 1);
    here[0] = static_cast<std::uint16_t>(beyond);
    for (int i = 0; i < 50; ++i) training.learn({}, here.data(), 1);
    EXPECT_GT(tables::sum(layout.table({}, training.weights()), here.data()), 0);
    EXPECT_EQ(tables::sum(layout.table({}, training.weights()), there.data()), 0);
  }
}

}  // namespace
}  // namespace ludens::search::test
