// SPDX-License-Identifier: MIT
// Asks a strategy for the first move of a role: `best_move RULES.kif [STRATEGY] [SECONDS]`.
#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include "search/game/move_chooser.h"

using namespace ludens;

int main(int argc, char** argv) try {
  const gdl::Game game = gdl::Game::from_file(argc > 1 ? argv[1] : "tic_tac_toe.kif");
  search::MoveChooser chooser(argc > 2 ? argv[2] : "auto");
  const auto time =
      std::chrono::milliseconds(static_cast<int>(1000 * (argc > 3 ? std::stod(argv[3]) : 1)));
  const gdl::RoleIndex role = 0;
  const search::Choice choice = chooser.choose(game.initial_state(), role, time);
  std::cout << game.role_name(role) << " plays " << game.move_name(choice.move) << ", worth "
            << choice.value << (choice.exact ? " (proved)" : " (estimated)") << "\n";
  for (const search::RootMove& move : choice.root) {
    std::cout << "  " << game.move_name(move.move) << "  " << move.value << "\n";
  }
} catch (const std::exception& problem) {
  std::cerr << problem.what() << "\n";
  return 1;
}
