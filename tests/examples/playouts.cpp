// SPDX-License-Identifier: MIT
// How often each role wins at random, and how fast that is known: `playouts RULES.kif [COUNT]`.
#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include "gdl/game/game.h"

using namespace ludens;

int main(int argc, char** argv) try {
  const gdl::Game game = gdl::Game::from_file(argc > 1 ? argv[1] : "tic_tac_toe.kif");
  const auto count = static_cast<std::uint32_t>(argc > 2 ? std::stoul(argv[2]) : 1'000'000);
  gdl::Rng rng(1);
  const gdl::GameState state = game.initial_state();
  const auto start = std::chrono::steady_clock::now();
  const gdl::PlayoutSums sums = state.playouts(count, rng);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  for (gdl::RoleIndex role = 0; role < game.role_count(); ++role) {
    std::cout << game.role_name(role) << ": "
              << static_cast<double>(sums.goals[role]) / sums.playouts[0] << " points\n";
  }
  std::cout << sums.playouts[0] << " playouts of " << sums.steps << " steps, "
            << static_cast<double>(sums.playouts[0]) / seconds.count() << " a second\n";
} catch (const std::exception& problem) {
  std::cerr << problem.what() << "\n";
  return 1;
}
