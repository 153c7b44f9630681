// SPDX-License-Identifier: MIT
// How to learn, and how much was learned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludens::search {

struct LearningOptions {
  std::uint64_t seed = 1;
  unsigned threads = 1;                 // at most; fewer if memory is short
  std::size_t tuples = 0;               // at first, with counts and mobility; 0: by the variables
  std::size_t most_tuples = 256;        // they are doubled up to this number
  std::uint64_t plies_per_weight = 10;  // for which they are doubled
  std::size_t games_at_once = 64;       // of each thread
  std::uint32_t most_plies = 400;       // a longer game is truncated, and gives no goals
  std::uint32_t random_plies = 8;       // at most, at the beginning of a game
  double exploration = 0.1;             // the chance of a random move later on
  double lambda = 0.8;
  double rate = 4;
  bool for_a_file = false;  // fewer tuples at first if a file could not hold all that is learned
};

struct LearningStatistics {
  std::uint64_t games = 0;  // that ended or were truncated
  std::uint64_t cut = 0;    // of these
  std::uint64_t plies = 0;
  std::uint64_t evaluated = 0;  // successor states of moves that were considered
  double seconds = 0;           // of learning, by the clock
  double expanding = 0;         // in the machine, of processor time

  LearningStatistics& operator+=(const LearningStatistics& more) {
    games += more.games;
    cut += more.cut;
    plies += more.plies;
    evaluated += more.evaluated;
    seconds += more.seconds;
    expanding += more.expanding;
    return *this;
  }
};

}  // namespace ludens::search
