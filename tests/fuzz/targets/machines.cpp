// SPDX-License-Identifier: MIT
#include <chrono>

#include "tests/fuzz/machines/machines_comparison.h"
#include "tests/fuzz/machines/random_rulesheet.h"
#include "tests/fuzz/targets/choices.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void machines(std::string_view input) {
  Choices bytes(input);
  const std::string text =
      gdl::tests::random_rulesheet([&bytes](std::uint32_t n) { return bytes.below(n); });
  const gdl::tests::FuzzEffort effort{
      .patience = std::chrono::seconds(1), .playouts = 2, .step_cap = 8, .means = false};
  const auto result = gdl::tests::compare_all_machines(text, input.size() + 1, effort);
  require(result.problem.empty(), result.problem + "\n" + text);
}

}  // namespace ludens::fuzz
