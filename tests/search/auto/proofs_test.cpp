// SPDX-License-Identifier: MIT
#include "search/auto/proofs.h"

namespace ludens::search {
namespace {

using gdl::MoveId;

Choice choice_of(std::vector<RootMove> root, MoveId move) {
  Choice choice;
  choice.root = std::move(root);
  choice.move = move;
  choice.variation = {move};
  for (const RootMove& m : choice.root) {
    if (m.move == move) choice.value = m.value;
  }
  return choice;
}

RootMove root_move(MoveId move, double value, std::uint64_t visits, double low = 0,
                   double high = 100) {
  return {.move = move, .value = value, .visits = visits, .low = low, .high = high};
}

TEST(Proofs, ARefutedMoveIsReplacedByTheMostVisitedOther) {
  Proofs proofs;
  proofs.add(std::vector{root_move(1, 0, 0, 0, 0), root_move(2, 0, 0), root_move(3, 0, 0)}, true);
  const Choice before =
      choice_of({root_move(1, 70, 900), root_move(2, 40, 60), root_move(3, 50, 40)}, 1);
  Choice choice = before;
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.move, 2U);
  EXPECT_TRUE(choice.variation.empty());
  EXPECT_EQ(choice.root[0].value, 0);
  Proofs guarantees;  // the others need not do their worst
  guarantees.add(std::vector{root_move(1, 0, 0, 0, 0)}, false);
  choice = before;
  guarantees.improve(choice, 100);
  EXPECT_EQ(choice.move, 1U);
  EXPECT_EQ(choice.variation, std::vector<MoveId>{1});
}

TEST(Proofs, AWinIsTakenWhateverThePlayoutsSay) {
  Proofs proofs;
  proofs.add(std::vector{root_move(2, 0, 0, 100, 100)}, true);
  Choice choice = choice_of({root_move(1, 99, 900), root_move(2, 40, 1)}, 1);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.move, 2U);
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 100);
}

TEST(Proofs, WhatIsSureIsTakenWhereTheRestIsWorthLess) {
  Proofs proofs;
  proofs.add(std::vector{root_move(2, 0, 0, 50, 100)}, true);
  Choice choice = choice_of({root_move(1, 45, 900), root_move(2, 40, 10)}, 1);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.move, 2U);
  choice = choice_of({root_move(1, 60, 900), root_move(2, 40, 10)}, 1);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.move, 1U);
  EXPECT_FALSE(choice.exact);
}

TEST(Proofs, BoundsOfSeveralSearchesGoTogether) {
  Proofs proofs;
  proofs.add(std::vector{root_move(1, 0, 0, 20, 100), root_move(2, 0, 0, 0, 30)}, true);
  proofs.add(std::vector{root_move(1, 0, 0, 0, 60), root_move(2, 0, 0, 10, 90)}, true);
  Choice choice = choice_of({root_move(1, 50, 5), root_move(2, 50, 6)}, 2);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.root[0].low, 20);
  EXPECT_EQ(choice.root[0].high, 60);
  EXPECT_EQ(choice.root[1].low, 10);
  EXPECT_EQ(choice.root[1].high, 30);
  proofs.clear();
  choice = choice_of({root_move(1, 50, 5), root_move(2, 50, 6)}, 2);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.root[0].low, 0);
}

TEST(Proofs, AChoiceWithoutRootMovesStays) {
  Proofs proofs;
  proofs.add(std::vector{root_move(2, 0, 0, 100, 100)}, true);
  Choice choice = choice_of({}, 1);
  proofs.improve(choice, 100);
  EXPECT_EQ(choice.move, 1U);
}

}  // namespace
}  // namespace ludens::search
