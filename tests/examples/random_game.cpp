// SPDX-License-Identifier: MIT
// Plays a game with random moves, and shows what could have been played: `random_game RULES.kif`.
#include <exception>
#include <iostream>
#include <vector>

#include "gdl/game/game.h"

using namespace ludens;

int main(int argc, char** argv) try {
  const gdl::Game game = gdl::Game::from_file(argc > 1 ? argv[1] : "tic_tac_toe.kif");
  gdl::Rng rng(2026);
  gdl::GameState state = game.initial_state();
  while (!state.is_terminal()) {
    std::cout << state.text() << "\n";
    std::vector<gdl::MoveId> joint_move;
    for (gdl::RoleIndex role = 0; role < game.role_count(); ++role) {
      const std::vector<gdl::MoveId> legal = state.legal_moves(role);
      const auto chosen = legal.at(rng.below(static_cast<std::uint32_t>(legal.size())));
      std::cout << "  " << game.role_name(role) << " has " << legal.size() << " moves, plays "
                << game.move_name(chosen) << "\n";
      joint_move.push_back(chosen);
    }
    state.play(joint_move);
  }
  for (gdl::RoleIndex role = 0; role < game.role_count(); ++role) {
    std::cout << game.role_name(role) << ": " << state.goals()[role] << "\n";
  }
} catch (const std::exception& problem) {
  std::cerr << problem.what() << "\n";
  return 1;
}
