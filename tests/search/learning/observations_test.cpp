// SPDX-License-Identifier: MIT
#include "search/learning/observations.h"

#include <gmock/gmock.h>

#include "search/learning/state_bits.h"
#include "search/learning/value_shape.h"
#include "search/learning/variables.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/lamps.h"

namespace ludens::search::test {
namespace {

/// Not all plies of long games are recorded, whichever number of roles take turns.
TEST(Observations, OfLongGamesAreOfAllRoles) {
  for (const std::size_t roles : {2, 3, 4, 5, 6}) {
    for (const std::size_t most_states : {4'096, 8'192, 16'384}) {
      SCOPED_TRACE(roles);
      const auto machine = machine_of(lamps(roles, 300), "sliced");
      const auto bits = StateBits::of(*machine);
      ASSERT_TRUE(bits);
      const auto context = machine->make_context();
      gdl::Rng rng(1);
      const auto seen =
          Observations::make(*machine, *context, bits->size(), {.most_states = most_states}, rng);
      ASSERT_TRUE(seen);
      std::vector<std::size_t> states(roles + 1, 0);
      for (std::size_t i = 0; i < seen->size(); ++i) ++states[seen->mover(i)];
      for (std::size_t r = 0; r < roles; ++r) {
        EXPECT_TRUE(seen->chose()[r]);
        EXPECT_GT(states[r], seen->size() / roles / 2);
      }
      EXPECT_EQ(ValueShape::of(*machine, *seen).groups, roles);
      // Nobody likes the other lamps; the step and the turn are clocks.
      EXPECT_EQ(find_variables(*machine, *bits, *seen).size(), roles);
    }
  }
}

}  // namespace
}  // namespace ludens::search::test
