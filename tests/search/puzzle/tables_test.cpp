// SPDX-License-Identifier: MIT
// What searches keep of states: fingerprints, how each was reached, states with their moves.
#include <gtest/gtest.h>

#include <set>

#include "gdl/machine/rng.h"
#include "search/puzzle/fingerprints.h"
#include "search/puzzle/parent_tree.h"
#include "search/puzzle/state_list.h"

namespace ludens::search::puzzle {
namespace {

using Insertion = Fingerprints::Insertion;

TEST(Fingerprints, TellNewKeysFromThoseSeen) {
  Fingerprints set(nullptr);
  gdl::Rng rng(1);
  std::vector<gdl::StateHash> keys;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t low = rng();
    keys.push_back({low, rng()});
    ASSERT_EQ(set.insert(keys.back()), Insertion::New);
  }
  EXPECT_EQ(set.size(), keys.size());
  for (const gdl::StateHash& key : keys) ASSERT_EQ(set.insert(key), Insertion::Seen);
  EXPECT_EQ(set.size(), keys.size());
}

TEST(Fingerprints, CompareAllBits) {
  Fingerprints set(nullptr);
  for (const gdl::StateHash& key : {gdl::StateHash{1, 1},
                                    {1, 1 << 13},
                                    {1 << 13, 1},
                                    {1, std::uint64_t{1} << 63},
                                    {std::uint64_t{1} << 63, 1}}) {
    EXPECT_EQ(set.insert(key), Insertion::New) << key.low << " " << key.high;
  }
}

TEST(Fingerprints, HoldTheKeyOfZeroesToo) {
  Fingerprints set(nullptr);
  EXPECT_EQ(set.insert({0, 0}), Insertion::New);
  EXPECT_EQ(set.insert({0, 0}), Insertion::Seen);
  EXPECT_EQ(set.size(), 1U);
}

TEST(Fingerprints, CountTheirMemoryAndGiveItBack) {
  gdl::MemoryBudget memory(std::size_t{8} << 20);
  {
    Fingerprints set(&memory);
    for (std::uint64_t i = 0; i < 20'000; ++i) set.insert({i * 0x9e3779b97f4a7c15, i});
    EXPECT_GE(set.bytes(), 20'000 * sizeof(gdl::StateHash));
    EXPECT_EQ(memory.used(), set.bytes());
    set.clear();
    EXPECT_EQ(memory.used(), 0U);
    EXPECT_EQ(set.size(), 0U);
    EXPECT_EQ(set.insert({0x9e3779b97f4a7c15, 1}), Insertion::New) << "forgotten";
  }
  EXPECT_EQ(memory.used(), 0U);
}

TEST(Fingerprints, KnowWhatTheySawWhenMemoryIsOut) {
  gdl::MemoryBudget memory(20'000);
  Fingerprints set(&memory);
  std::vector<gdl::StateHash> seen;
  bool out = false;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    // All in one of the tables, which has to grow again and again.
    const gdl::StateHash key{i * 0x9e3779b97f4a7c15, i << 12};
    const Insertion inserted = set.insert(key);
    if (inserted == Insertion::New) seen.push_back(key);
    out = out || inserted == Insertion::OutOfMemory;
  }
  EXPECT_TRUE(out);
  EXPECT_GT(seen.size(), 100U);
  EXPECT_EQ(set.size(), seen.size());
  for (const gdl::StateHash& key : seen) ASSERT_EQ(set.insert(key), Insertion::Seen);
  EXPECT_LE(memory.used(), memory.limit());
}

TEST(Fingerprints, HoldNothingWithoutMemory) {
  gdl::MemoryBudget memory(10);
  Fingerprints set(&memory);
  EXPECT_EQ(set.insert({5, 5}), Insertion::OutOfMemory);
  EXPECT_EQ(set.size(), 0U);
  set.prefetch({5, 5});  // of a table that is not there
}

using Moves = std::vector<gdl::MoveId>;

TEST(ParentTree, SaysTheMovesFromTheRootToANodeAndOneMore) {
  ParentTree tree(nullptr);
  const auto a = *tree.add(ParentTree::kRoot, 1);
  const auto b = *tree.add(a, 2);
  const auto c = *tree.add(a, 3);
  EXPECT_EQ(tree.line(ParentTree::kRoot, 9), Moves{9});
  EXPECT_EQ(tree.line(b, 9), (Moves{1, 2, 9}));
  EXPECT_EQ(tree.line(c, 8), (Moves{1, 3, 8}));
}

TEST(ParentTree, KeepsLinesOverManyBlocks) {
  ParentTree tree(nullptr);
  ParentTree::Node node = ParentTree::kRoot;
  for (gdl::MoveId move = 0; move < 100'000; ++move) node = *tree.add(node, move);
  const Moves line = tree.line(node, 7);
  ASSERT_EQ(line.size(), 100'001U);
  for (gdl::MoveId move = 0; move < 100'000; ++move) ASSERT_EQ(line[move], move);
}

TEST(ParentTree, StopsGrowingWhenMemoryIsOutAndKeepsWhatItHas) {
  gdl::MemoryBudget memory(300'000);
  {
    ParentTree tree(&memory);
    ParentTree::Node last = ParentTree::kRoot;
    std::size_t added = 0;
    while (const auto node = tree.add(last, static_cast<gdl::MoveId>(added))) {
      last = *node;
      ++added;
      ASSERT_LT(added, 300'000U);
    }
    EXPECT_GT(added, 10'000U);
    EXPECT_LE(memory.used(), memory.limit());
    EXPECT_FALSE(tree.add(last, 1)) << "and not the next time either";
    EXPECT_EQ(tree.line(last, 1).size(), added + 1);
  }
  EXPECT_EQ(memory.used(), 0U);
}

gdl::StateView view(const std::vector<std::uint64_t>& words) {
  return gdl::StateView(words);
}

TEST(StateList, GivesBackStatesWithTheirMovesAndNotes) {
  StateList<std::uint32_t> list(nullptr);
  std::vector<std::uint64_t> words(2);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    words = {i, ~std::uint64_t{i}};
    const Moves moves(i % 4, i);
    ASSERT_TRUE(list.add(view(words), moves, i * 3));
  }
  ASSERT_EQ(list.size(), 10'000U);
  for (const std::size_t i : {0U, 1U, 4'095U, 4'096U, 9'999U}) {
    EXPECT_EQ(list.state(i).words()[0], i);
    EXPECT_EQ(list.state(i).words()[1], ~std::uint64_t{i});
    EXPECT_EQ(list.note(i), i * 3);
    ASSERT_EQ(list.moves(i).size(), i % 4) << i;
    for (const gdl::MoveId move : list.moves(i)) EXPECT_EQ(move, i);
  }
}

TEST(StateList, LeavesStatesWhereTheyAreWhenItGrows) {
  StateList<int> list(nullptr);
  const std::vector<std::uint64_t> words{42};
  for (int i = 0; i < 4096; ++i) list.add(view(words), Moves{1, 2}, i);
  const auto* state = list.state(4095).words().data();
  const auto* moves = list.moves(4095).data();
  for (int i = 0; i < 20'000; ++i) list.add(view(words), Moves{3}, i);
  EXPECT_EQ(list.state(4095).words().data(), state);
  EXPECT_EQ(list.moves(4095).data(), moves);
}

TEST(StateList, IsFullWhenMemoryIsOutAndGivesItBack) {
  gdl::MemoryBudget memory(1'000'000);
  StateList<int> list(&memory);
  const std::vector<std::uint64_t> words(4);
  int added = 0;
  while (list.add(view(words), Moves{1, 2, 3}, added)) ASSERT_LT(++added, 1'000'000);
  EXPECT_EQ(list.size(), static_cast<std::size_t>(added));
  EXPECT_FALSE(list.add(view(words), Moves{}, 0));
  EXPECT_EQ(list.size(), static_cast<std::size_t>(added)) << "nothing was added";
  EXPECT_LE(memory.used(), memory.limit());
  list.clear();
  EXPECT_EQ(memory.used(), 0U);
  EXPECT_TRUE(list.add(view(words), Moves{}, 5));
  EXPECT_EQ(list.note(0), 5);
}

TEST(StateList, IsMovedAndSwappedWithWhatItReserved) {
  gdl::MemoryBudget memory(std::size_t{8} << 20);
  const std::vector<std::uint64_t> words{1};
  {
    StateList<int> one(&memory), other(&memory);
    for (int i = 0; i < 10'000; ++i) one.add(view(words), Moves{1}, i);
    const std::size_t used = memory.used();
    EXPECT_GT(used, 0U);
    one.swap(other);
    EXPECT_EQ(one.size(), 0U);
    EXPECT_EQ(other.note(9'999), 9'999);
    StateList<int> moved(std::move(other));
    EXPECT_EQ(moved.size(), 10'000U);
    one = std::move(moved);
    EXPECT_EQ(one.note(1), 1);
    EXPECT_EQ(memory.used(), used);
  }
  EXPECT_EQ(memory.used(), 0U);
}

}  // namespace
}  // namespace ludens::search::puzzle
