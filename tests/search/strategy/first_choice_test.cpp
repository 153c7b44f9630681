// SPDX-License-Identifier: MIT
#include "search/strategy/first_choice.h"

#include <gtest/gtest.h>

#include "tests/search/thinking.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

class FirstChoice : public testing::Test {
 protected:
  /// The move that stands after `publish_first` where this one was chosen before.
  gdl::MoveId after(Choice earlier) {
    Incumbent incumbent;
    incumbent.publish(std::move(earlier));
    EXPECT_EQ(publish_first(position, Deadline(), incumbent), legal);
    return incumbent.get()->move;
  }
  [[nodiscard]] Choice last() const {
    Choice choice;
    choice.move = legal.back();
    return choice;
  }

  Position position = initial_position(*TreeMachine::parse("(roles one) (one 10 20 30)"));
  std::vector<gdl::MoveId> legal = legal_moves(position, 0);
};

TEST_F(FirstChoice, IsTheFirstLegalMoveAndListsAll) {
  Incumbent incumbent;
  EXPECT_EQ(publish_first(position, Deadline(), incumbent), legal);
  const Choice choice = incumbent.get().value();
  EXPECT_EQ(choice.move, legal.front());
  EXPECT_EQ(choice.value, kUnknownValue);
  EXPECT_EQ(choice.root.size(), legal.size());
}

TEST_F(FirstChoice, LeavesWhatASearchHasFoundBefore) {
  Choice exact = last(), by_iterations = last(), by_states = last(), visited = last();
  exact.exact = true;
  by_iterations.iterations = 1;
  by_states.nodes = 1;
  visited.root = {{.move = visited.move, .visits = 1}};
  for (const Choice& choice : {exact, by_iterations, by_states, visited}) {
    EXPECT_EQ(after(choice), legal.back());
  }
}

TEST_F(FirstChoice, ReplacesWhatIsNoBetterOrNotLegal) {
  EXPECT_EQ(after(last()), legal.front());
  Choice illegal;
  illegal.move = 12'345;
  illegal.exact = true;
  EXPECT_EQ(after(illegal), legal.front());
}

}  // namespace
}  // namespace ludens::search::test
