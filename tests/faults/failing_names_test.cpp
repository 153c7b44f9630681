// SPDX-License-Identifier: MIT
// The names of a match when memory runs out.
#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "tests/faults/failing_calls.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::faults {
namespace {

TEST(FailingMemory, LeavesTheNamesOfAMatchAsTheyWere) {
  const auto rules = gdl::normalise_text(
                         "(role r) (legal r (take a b)) (legal r (take b a)) (<= (next p) (true "
                         "p)) (terminal) (goal r 0)")
                         .rules;
  const auto cells = [&](const char* first, const char* second) {
    const auto symbol = [&](const char* name) { return *rules->symbols.find(name) * 2; };
    return std::vector<std::uint32_t>{symbol("take") + 1, 2, symbol(first), symbol(second)};
  };
  const auto one = cells("a", "b"), other = cells("b", "a");
  std::uint64_t number = 0;
  for (bool happened = true; happened;) {
    gdl::Vocabulary names(rules);
    {
      const FailingCall failing(FailingCall::Kind::New, ++number);
      try {
        names.move(one);
      } catch (const std::bad_alloc&) {
      }
      happened = failing.happened();
    }
    EXPECT_EQ(names.move_term(names.move(other)), other) << number;
    const gdl::MoveId id = names.move(one);
    EXPECT_EQ(names.move_term(id), one) << number;
    EXPECT_EQ(names.move(one), id) << number;
    EXPECT_EQ(names.move_count(), 2U) << number;
  }
  EXPECT_GT(number, 3U) << "nothing failed";
}

}  // namespace
}  // namespace ludens::faults
