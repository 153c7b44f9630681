// SPDX-License-Identifier: MIT
// Games of which everything is known: tic-tac-toe and nim, searched to their ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "search/solve/solve.h"
#include "search/tree/game_tree.h"
#include "tests/search/games/native_tic_tac_toe.h"
#include "tests/search/games/rulesheets.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

using testing::ElementsAre;

Position position_after(const std::shared_ptr<const gdl::Machine>& machine, gdl::RoleIndex role,
                        const std::vector<std::vector<gdl::MoveId>>& joint_moves) {
  Position position{machine, {}, role, {}};
  const auto context = machine->make_context();
  EXPECT_EQ(machine->initial(*context, position.state), gdl::Status::Ok);
  for (const auto& move : joint_moves) {
    gdl::State next;
    EXPECT_EQ(machine->next(*context, position.state, move, next), gdl::Status::Ok);
    position.state = next;
    position.history.insert(position.history.end(), move.begin(), move.end());
  }
  return position;
}

std::unique_ptr<Strategy> strategy_of(const std::string& text) {
  return make_strategy(parse_strategy(text).value(), {}).value();
}

Choice think_in(Strategy& strategy, const Position& position) {
  Incumbent incumbent;
  strategy.think(position, Deadline(), incumbent);
  return incumbent.get().value();
}

TEST(TicTacToe, MoveSequencesAndEndsByLength) {
  const NativeTicTacToe game;
  const auto context = game.make_context({});
  GameTree tree(game, *context, 0);
  gdl::State initial;
  ASSERT_EQ(game.initial(*context, initial), gdl::Status::Ok);
  ASSERT_EQ(tree.reset(initial), gdl::Status::Ok);
  std::vector<std::uint64_t> sequences(10), ends(10);
  const std::function<void()> count = [&] {
    ++sequences[tree.depth()];
    if (tree.terminal()) {
      ++ends[tree.depth()];
      return;
    }
    ASSERT_EQ(tree.open(), gdl::Status::Ok);
    const std::vector<gdl::MoveId> moves(tree.moves().begin(), tree.moves().end());
    for (const gdl::MoveId move : moves) {
      // At the root the searching role is always asked; nobody else has a choice there.
      ASSERT_EQ(tree.down(move), gdl::Status::Ok);
      count();
      tree.up();
    }
  };
  count();
  EXPECT_THAT(sequences, ElementsAre(1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872));
  EXPECT_THAT(ends, ElementsAre(0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872));
  EXPECT_EQ(std::accumulate(ends.begin(), ends.end(), std::uint64_t{0}), 255'168U);
}

TEST(TicTacToe, MinimaxSeesTheWholeTreeAndAllFirstMovesDraw) {
  const auto game = std::make_shared<const NativeTicTacToe>();
  const Choice choice = think(game, kPlainMinimax);
  EXPECT_EQ(choice.nodes, 549'946U);  // the sequences of all lengths, none included
  EXPECT_EQ(choice.value, 50);
  EXPECT_TRUE(choice.exact);
  ASSERT_EQ(choice.root.size(), 9U);
  for (const RootMove& move : choice.root) EXPECT_EQ(move.value, 50);
  EXPECT_EQ(choice.move, 0U);  // the first
}

TEST(TicTacToe, RepliesToFirstMoves) {
  const auto game = std::make_shared<const NativeTicTacToe>();
  const auto alphabeta = strategy_of("alphabeta:ties=first");
  std::map<gdl::MoveId, std::set<gdl::MoveId>> draws;
  int lost = 0, drawn = 0;
  for (gdl::MoveId first = 0; first < 9; ++first) {
    for (gdl::MoveId reply = 0; reply < 9; ++reply) {
      if (reply == first) continue;
      const Choice choice = think_in(*alphabeta, position_after(game, 0, {{first, 9}, {9, reply}}));
      ASSERT_TRUE(choice.exact);
      choice.value == 100 ? ++lost : ++drawn;
      if (choice.value == 50) draws[first].insert(reply);
    }
  }
  EXPECT_EQ(lost, 48);
  EXPECT_EQ(drawn, 24);
  EXPECT_THAT(draws[0], ElementsAre(4));
  EXPECT_THAT(draws[4], ElementsAre(0, 2, 6, 8));
  EXPECT_EQ(draws[1].size(), 4U);
}

/// Plays a role against all moves of the other; the least goal.
class AgainstEverything {
 public:
  AgainstEverything(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
                    const std::string& strategy)
      : machine_(std::move(machine)),
        role_(role),
        context_(machine_->make_context()),
        strategy_(strategy_of(strategy)) {}

  int least(const Position& position) {
    bool terminal = false;
    EXPECT_EQ(machine_->terminal(*context_, position.state, terminal), gdl::Status::Ok);
    std::vector<int> goals(machine_->role_count());
    if (terminal) {
      EXPECT_EQ(machine_->goals(*context_, position.state, goals), gdl::Status::Ok);
      return goals[role_];
    }
    const gdl::StateHash key = gdl::hash(position.state);
    const auto known = known_.find({key.low, key.high});
    if (known != known_.end()) return known->second;
    int least = 100;
    std::vector<gdl::MoveId> replies;
    const gdl::MoveId mine = think_in(*strategy_, position).move;
    EXPECT_EQ(machine_->legal(*context_, position.state, 1 - role_, replies), gdl::Status::Ok);
    for (const gdl::MoveId reply : std::vector<gdl::MoveId>(replies)) {
      Position next = position;
      const gdl::MoveId joint[] = {role_ == 0 ? mine : reply, role_ == 0 ? reply : mine};
      EXPECT_EQ(machine_->next(*context_, position.state, joint, next.state), gdl::Status::Ok);
      least = std::min(least, this->least(next));
    }
    return known_[{key.low, key.high}] = least;
  }

 private:
  std::shared_ptr<const gdl::Machine> machine_;
  gdl::RoleIndex role_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::unique_ptr<Strategy> strategy_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> known_;
};

TEST(TicTacToe, AlphaBetaNeverLosesWhateverTheOtherPlays) {
  const auto game = interpret_bundled("tic_tac_toe");
  for (gdl::RoleIndex role = 0; role < 2; ++role) {
    AgainstEverything play(game, role, "alphabeta:seed=3");
    EXPECT_GE(play.least(position_after(game, role, {})), 50) << "role " << role;
  }
}

TEST(Nim, IsLostForTheMoverExactlyWhereTheXorIsNothing) {
  const std::vector<std::vector<int>> positions = {
      {1},       {2},       {1, 1},    {1, 2},       {2, 2},       {3, 3},      {1, 4},
      {4, 4},    {5},       {1, 1, 1}, {1, 2, 3},    {1, 1, 2},    {2, 2, 3},   {1, 3, 2},
      {1, 4, 5}, {2, 4, 6}, {2, 3, 4}, {1, 1, 1, 1}, {1, 1, 2, 2}, {1, 2, 2, 2}};
  for (const auto& heaps : positions) {
    int sum = 0;
    std::string name;
    for (const int heap : heaps) {
      sum ^= heap;
      name += " " + std::to_string(heap);
    }
    const auto game = interpret(nim_rulesheet(heaps));
    const Choice choice = think(game, "alphabeta:ties=first");
    EXPECT_EQ(choice.value, sum == 0 ? 0 : 100) << name;
    EXPECT_TRUE(choice.exact) << name;
    const Position position = position_after(game, 0, {});
    for (const SolveMethod method : {SolveMethod::Search, SolveMethod::Backward}) {
      EXPECT_EQ(solve(position, method, Deadline(), nullptr, nullptr).low, sum == 0 ? 0 : 100)
          << name;
    }
  }
}

TEST(DrawnGames, AreTheSameGameAsTheirRulesheets) {
  const DrawnGame drawn(
      "(roles max min random) (max:a l (min:b (random 3 12) 8) r (* (u v noop) 40 (u w noop) 90))");
  const auto interpreted = interpret(drawn.machine->rulesheet());
  for (const std::string strategy : {"minimax", "expectimax", "maxn", "alphabeta"}) {
    const Choice a = think(drawn.machine, strategy + ":ties=first");
    const Choice b = think(interpreted, strategy + ":ties=first");
    EXPECT_EQ(a.value, b.value) << strategy;
    EXPECT_EQ(drawn.move_name(a.move), interpreted->vocabulary()->move_name(b.move)) << strategy;
  }
}

}  // namespace
}  // namespace ludens::search
