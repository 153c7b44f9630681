// SPDX-License-Identifier: MIT
#include "search/value/learning.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::value::test {
namespace {

using namespace std::chrono_literals;
using search::test::bundled;
using search::test::initial_position;
using testing::HasSubstr;

TEST(LearningOfAMatch, GoesOnBesideOtherWork) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  Learning learning({.games = 1}, {.threads = 2}, 1);
  for (auto pause = 20ms; learning.seconds() == 0; pause *= 2) {
    const Learning::Beside beside(learning, position);
    std::this_thread::sleep_for(pause);
    EXPECT_EQ(learning.values(), nullptr);
  }
  const double before = learning.seconds();
  learning.learn_until(position, Deadline());
  EXPECT_NE(learning.values(), nullptr);
  EXPECT_GT(learning.seconds(), before);
  EXPECT_GT(learning.length_of_games(), 5);
}

TEST(LearningOfAMatch, NeedsAnotherThreadForThat) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  Learning learning({}, {.threads = 1}, 1);
  {
    const Learning::Beside beside(learning, position);
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(learning.seconds(), 0);
}

/// A store that has the same bytes for each game.
class OneForAll final : public KnowledgeStore {
 public:
  [[nodiscard]] std::string find(const std::string&) const override { return "LUDENSKN"; }
};

TEST(LearningOfAMatch, SaysWhyKnowledgeIsRefused) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  Learning learning({.games = 10}, {.knowledge = std::make_shared<OneForAll>()}, 1);
  learning.learn(position, Deadline());
  EXPECT_THAT(learning.explanation(), HasSubstr("knowledge refused: it ends too early"));
  EXPECT_THAT(learning.explanation(), HasSubstr("values of"));
}

}  // namespace
}  // namespace ludens::search::value::test
