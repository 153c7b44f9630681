// SPDX-License-Identifier: MIT
// Random games of OpenSpiel in its own C++, for `environment.py open_spiel --loop`: moves a second,
// the best of five rounds. Not part of the build; with a built OpenSpiel in OS:
//   c++ -O3 -std=c++17 -IOS -IOS/open_spiel/abseil-cpp tests/bench/open_spiel_loop.cpp LIBRARIES
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

#include "open_spiel/spiel.h"

int main(int argc, char** argv) {
  for (int g = 1; g < argc; ++g) {
    const auto game = open_spiel::LoadGame(argv[g]);
    std::mt19937 random(1);
    double best = 0;
    for (int round = 0; round < 5; ++round) {
      const std::clock_t begin = std::clock();  // of the processor
      double moves = 0, seconds = 0;
      while (seconds < 0.5) {
        const auto state = game->NewInitialState();
        for (; !state->IsTerminal(); ++moves) {
          const auto legal = state->LegalActions();
          state->ApplyAction(legal[random() % legal.size()]);
        }
        seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      }
      best = std::max(best, moves / seconds);
    }
    std::printf("%s %.0f\n", argv[g], best);
  }
}
