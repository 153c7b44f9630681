// SPDX-License-Identifier: MIT
// Puzzles whose states are large: what is kept of random plays is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "search/puzzle/play_observations.h"
#include "tests/search/games/rulesheets.h"

namespace ludens::search::puzzle {
namespace {

/// So many fluents that always hold, and a game without end.
std::string large_states(int fluents) {
  std::string text = "(role r) (legal r go) (goal r 50) (<= terminal (true (c none)))";
  for (int i = 0; i < fluents; ++i) text += "(d " + std::to_string(i) + ")";
  return text + "(<= (init (c ?x)) (d ?x)) (<= (next (c ?x)) (true (c ?x)))";
}

TEST(PuzzleMemory, RandomPlaysEndWhereTheirMemoryDoes) {
  const auto machine = interpret(large_states(1000));
  constexpr std::size_t kGranted = std::size_t{16} << 20;
  gdl::MemoryBudget memory(kGranted);
  gdl::Rng rng(1);
  const auto context = machine->make_context();
  gdl::State root;
  ASSERT_EQ(machine->initial(*context, root), gdl::Status::Ok);
  std::vector<gdl::MoveId> moves;
  ASSERT_EQ(machine->legal(*context, root, 0, moves), gdl::Status::Ok);
  SearchProblem problem(machine, root, moves, 100, &memory, rng);
  {
    PlayObservations observations;
    EXPECT_EQ(observations.gather(problem, 64), Ended::Exhausted);
    // Each of 64 plays keeps 4 kB a step: an eighth of what is granted is there for 8 of them.
    EXPECT_GT(observations.mean_length(), 3);
    EXPECT_LT(observations.mean_length(), 16);
  }
}

}  // namespace
}  // namespace ludens::search::puzzle
