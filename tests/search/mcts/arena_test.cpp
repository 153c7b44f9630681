// SPDX-License-Identifier: MIT
#include "search/mcts/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "gdl/machine/rng.h"

namespace ludens::search::mcts {
namespace {

constexpr std::size_t kMebi = std::size_t{1} << 20;

/// Blocks of an arena, each of which knows at its beginning and at its end who it is.
class Blocks {
 public:
  explicit Blocks(Arena& arena) : arena_(arena) {}

  bool add(std::size_t bytes) {
    const Ref ref = arena_.allocate(bytes, 1);
    if (ref == kNoRef) return false;
    blocks_.push_back({ref, bytes, ++last_});
    tag(blocks_.back());
    return true;
  }
  void remove(std::size_t i) {
    check(blocks_[i]);
    arena_.free(blocks_[i].ref, blocks_[i].bytes, 1);
    blocks_[i] = blocks_.back();
    blocks_.pop_back();
  }
  void remove_all() {
    while (!blocks_.empty()) remove(blocks_.size() - 1);
  }
  [[nodiscard]] std::size_t count() const { return blocks_.size(); }
  [[nodiscard]] std::size_t wrong() const { return wrong_; }

 private:
  struct Block {
    Ref ref;
    std::size_t bytes;
    std::uint64_t name;
  };
  void tag(const Block& block) {
    std::memcpy(arena_[block.ref], &block.name, sizeof block.name);
    std::memcpy(arena_[block.ref] + block.bytes - 8, &block.name, sizeof block.name);
  }
  void check(const Block& block) {
    wrong_ += std::memcmp(arena_[block.ref], &block.name, sizeof block.name) != 0;
    wrong_ += std::memcmp(arena_[block.ref] + block.bytes - 8, &block.name, 8) != 0;
  }

  Arena& arena_;
  std::vector<Block> blocks_;
  std::uint64_t last_ = 0;
  std::size_t wrong_ = 0;
};

/// Sizes as the tree of a game has them: nodes, and edges by powers of two.
std::size_t size_of(std::uint32_t moves, gdl::Rng& rng) {
  const std::uint32_t kind = rng.below(4);
  if (kind > 0) return (70 + 2 * moves + 8 * rng.below(4)) / 8 * 8;
  std::uint32_t tried = 2;
  while (tried < moves && rng.below(2) == 0) tried *= 2;
  return 16 * std::size_t{std::min(tried, moves)};
}

TEST(Arena, ServesSizesThatChangeForEverThoughItIsFull) {
  gdl::MemoryBudget budget(64 * kMebi);
  Arena arena(&budget, 8 * kMebi);
  Blocks blocks(arena);
  gdl::Rng rng(1);
  std::size_t made = 0, least_used = ~std::size_t{0};
  for (int phase = 0; phase < 20; ++phase) {
    const std::uint32_t moves = 5 + 40 * static_cast<std::uint32_t>(phase % 7);
    // As a collection does: some go, then others come until there is no room.
    for (std::size_t since = 0; since < 500'000;) {
      for (std::size_t gone = blocks.count() / 4; gone > 0; --gone) {
        blocks.remove(rng.below(static_cast<std::uint32_t>(blocks.count())));
      }
      const std::size_t before = made;
      while (blocks.add(size_of(moves, rng))) ++made;
      ASSERT_GT(made, before);
      since += made - before;
      if (phase > 0) least_used = std::min(least_used, arena.used());
    }
  }
  EXPECT_GE(made, 10'000'000U);
  EXPECT_EQ(blocks.wrong(), 0U);
  EXPECT_EQ(arena.count(), blocks.count());
  EXPECT_GT(least_used, 4 * kMebi);  // when the first was refused, of whatever size
  EXPECT_LE(budget.used(), 8 * kMebi);
}

TEST(Arena, AnyNumberOfPagesWillDo) {
  for (std::size_t pages = 1; pages < 140; ++pages) {
    gdl::MemoryBudget budget(pages * (Arena::kPageBytes + 512));
    Arena arena(&budget, budget.limit());
    Blocks blocks(arena);
    for (int round = 0; round < 4; ++round) {
      while (blocks.add(2000)) {
      }
      EXPECT_LE(arena.used(), arena.touched());
      // All; then those in front, so that the search for open pages goes round the end.
      for (std::size_t gone = blocks.count() / (1 + round % 2); gone > 0; --gone) {
        blocks.remove(gone - 1);
      }
    }
    EXPECT_LE(budget.used(), budget.limit());
    blocks.remove_all();
    EXPECT_EQ(blocks.wrong(), 0U);
    EXPECT_EQ(arena.used(), 0U);
  }
}

TEST(Arena, WhatIsFreedIsOneAgain) {
  Arena arena(nullptr, 4 * kMebi);
  Blocks blocks(arena);
  gdl::Rng rng(2);
  while (blocks.add(8 * (1 + rng.below(300)))) {
  }
  EXPECT_EQ(arena.allocate(arena.touched() / 2), kNoRef);
  blocks.remove_all();
  arena.drain();
  EXPECT_EQ(blocks.wrong(), 0U);
  EXPECT_EQ(arena.used(), 0U);
  const Ref all = arena.allocate(arena.touched());
  ASSERT_NE(all, kNoRef);
  arena.free(all, arena.touched());
  EXPECT_TRUE(blocks.add(40));
}

TEST(Arena, PartsOfABlockMayBeFreedByThemselves) {
  Arena arena(nullptr, kMebi);
  const std::size_t bytes = 3 * Arena::kPageBytes + 512;
  const Ref block = arena.allocate(bytes);
  ASSERT_NE(block, kNoRef);
  std::memset(arena[block], 7, bytes);
  arena.free(block + 64, bytes - 512);
  EXPECT_EQ(arena.used(), 512U);
  Blocks others(arena);
  while (others.add(496)) {
  }
  for (int i = 0; i < 512; ++i) ASSERT_EQ(arena[block][i], std::byte{7});
  others.remove_all();
  EXPECT_EQ(others.wrong(), 0U);
}

TEST(Arena, AFewBytesAreEnoughForSomeBlocks) {
  gdl::MemoryBudget budget(40'000);
  Arena arena(&budget, kMebi);
  Blocks small(arena), large(arena);
  while (small.add(32)) {
  }
  EXPECT_GT(small.count(), 1000U);
  EXPECT_LE(budget.used(), budget.limit());
  while (small.count() > 0) small.remove(0);
  EXPECT_TRUE(large.add(4000));
  EXPECT_TRUE(small.add(32));
}

TEST(Arena, WithoutMemoryThereIsNoBlock) {
  gdl::MemoryBudget budget(1000);
  EXPECT_EQ(Arena(&budget, kMebi).allocate(8), kNoRef);
  EXPECT_EQ(Arena(nullptr, 1000).allocate(8), kNoRef);
}

TEST(Arena, ClearGivesAllBack) {
  gdl::MemoryBudget budget(8 * kMebi);
  Arena arena(&budget, 4 * kMebi);
  for (int round = 0; round < 3; ++round) {
    Blocks blocks(arena);
    gdl::Rng rng(3);
    while (blocks.add(8 * (1 + rng.below(700)))) {
    }
    EXPECT_TRUE(arena.is_short());
    EXPECT_GT(arena.used(), 3 * kMebi);
    arena.clear();
    EXPECT_EQ(budget.used(), 0U);
    EXPECT_EQ(arena.count(), 0U);
    EXPECT_FALSE(arena.is_short());
  }
}

TEST(Arena, SeveralThreadsShareIt) {
  Arena arena(nullptr, 24 * kMebi);
  arena.serve_threads(true);
  std::vector<std::size_t> wrong(3), made(3);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        gdl::Rng rng(t);
        Blocks blocks(arena);
        for (int i = 0; i < 300'000; ++i) {
          const bool grow = blocks.count() < 200 || rng.below(100) < 52;
          if (grow && blocks.add(size_of(5 + rng.below(250), rng))) {
            ++made[t];
          } else if (blocks.count() > 0) {
            blocks.remove(rng.below(static_cast<std::uint32_t>(blocks.count())));
          }
        }
        blocks.remove_all();
        wrong[t] = blocks.wrong();
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(3));
  for (const std::size_t count : made) EXPECT_GT(count, 100'000U);
  EXPECT_EQ(arena.used(), 0U);
  arena.drain();
  EXPECT_NE(arena.allocate(arena.touched()), kNoRef);
}

}  // namespace
}  // namespace ludens::search::mcts
