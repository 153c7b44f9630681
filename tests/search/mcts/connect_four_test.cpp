// SPDX-License-Identifier: MIT
// `mcts` against `random` on a bundled game, through the interpreter.
#include <fstream>
#include <iterator>

#include "gdl/interpreter/interpreter.h"
#include "gdl/rules/read.h"
#include "tests/project_folder.h"
#include "tests/sanitizers.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

std::shared_ptr<const gdl::Machine> connect_four() {
  std::ifstream file(project_folder() + "/config/games/connect_four.kif");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const gdl::ReadRules read = gdl::read_rules(std::move(text));
  EXPECT_TRUE(read.errors.empty());
  return gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(read.normalised.rules));
}

/// Goals of both roles after a game between two strategies, in role order.
std::vector<int> play(const std::shared_ptr<const gdl::Machine>& machine, Strategy& red,
                      Strategy& yellow) {
  Position position = initial_position(machine);
  while (!is_terminal(position)) {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex role = 0; role < 2; ++role) {
      const auto legal = legal_moves(position, role);
      position.role = role;
      joint.push_back(legal.size() == 1 ? legal.front()
                                        : think(role == 0 ? red : yellow, position).move);
    }
    make_move(position, joint);
  }
  return goals_of(position);
}

/// Games with seeds of their own.
void expect_wins(gdl::RoleIndex role) {
  const auto machine = connect_four();
  for (int game = 1; game <= trials(25); ++game) {
    const std::string seed = std::to_string(100 * (role + 1) + game);
    const auto mcts = strategy_of("mcts:playouts=120,seed=" + seed);
    const auto random = strategy_of("random:seed=" + seed);
    const auto goals = role == 0 ? play(machine, *mcts, *random) : play(machine, *random, *mcts);
    EXPECT_EQ(goals[role], 100) << "game " << game;
  }
}

TEST(MctsConnectFour, WinsEveryGameAgainstRandomAsRed) {
  expect_wins(0);
}

TEST(MctsConnectFour, WinsEveryGameAgainstRandomAsYellow) {
  expect_wins(1);
}

}  // namespace
}  // namespace ludens::search::test
