// SPDX-License-Identifier: MIT
// The search of `value`, by the strategy.
#include "search/value/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <numeric>
#include <thread>

#include "search/learning/learner.h"
#include "search/learning/reach.h"
#include "search/self_play/self_match.h"
#include "search/solve/solve.h"
#include "search/value/worker.h"
#include "tests/project_folder.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"
#include "tests/search/tree/games_of_luck.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

/// X has marked 0 and 1, O 4 and one more, and X is to move.
Position one_move_from_a_line(gdl::MoveId other) {
  return after_marks({0, 4, 1, other}, 0);
}

TEST(Value, FindsAWinInAMoveAmongTheFirstStates) {
  const auto strategy = strategy_of("value:nodes=10,seed=1");
  const Choice choice = think(*strategy, one_move_from_a_line(8));
  EXPECT_EQ(choice.move, 2U);
  EXPECT_EQ(choice.value, 100);
  EXPECT_TRUE(choice.exact);
  EXPECT_LE(choice.nodes, 10U);
}

TEST(Value, LeavesMovesAloneThatAreProvedToLose) {
  // O threatens 3, 4, 5: every other move of X loses at once.
  const auto strategy = strategy_of("value:nodes=200,seed=1");
  EXPECT_EQ(think(*strategy, after_marks({0, 4, 8, 3}, 0)).move, 5U);
}

TEST(Value, ParriesOneOfTwoThreatsInALostPosition) {
  // O threatens 3 and 7. After 6 both win; after the others, one of two replies.
  const auto strategy = strategy_of("value:nodes=1000,seed=1");
  const Choice choice = think(*strategy, after_marks({0, 1, 2, 4, 8, 5}, 0));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 0);
  EXPECT_NE(choice.move, 6U);
}

TEST(Value, KnowsTheLastOfVeryManyRolesThatChooses) {
  std::string text =
      "(init begun) (<= terminal (not (true begun))) (<= (next won) (does last win))";
  const std::size_t others = 299;
  for (std::size_t r = 0; r < others; ++r) {
    const std::string role = "r" + std::to_string(r);
    text += "(role " + role + ") (legal " + role + " wait) (<= (goal " + role +
            " 0) (true won)) (<= (goal " + role + " 100) (not (true won)))";
  }
  text +=
      "(role last) (legal last lose) (legal last win)"
      "(<= (goal last 100) (true won)) (<= (goal last 0) (not (true won)))";
  const Position position = initial_position(machine_of(text, "interpreter"), others);
  const Choice choice = think(*strategy_of("value:nodes=100,games=1,seed=1"), position);
  EXPECT_EQ(position.machine->vocabulary()->move_name(choice.move), "win");
  EXPECT_EQ(choice.value, 100);
}

/// The chance of each joint move is the product of 200 chances.
TEST(Value, JudgesMovesOfVeryManyRolesAtOnce) {
  std::string text = "(init begun) (<= terminal (not (true begun)))";
  for (int r = 0; r < 200; ++r) text += "(role r" + std::to_string(r) + ")";
  text +=
      "(<= (legal ?r dare) (role ?r)) (<= (legal ?r wait) (role ?r))"
      "(<= (next (dared ?r)) (does ?r dare)) (<= (goal ?r 100) (true (dared ?r)))"
      "(<= (goal ?r 0) (role ?r) (not (true (dared ?r))))";
  const Position position = initial_position(machine_of(text, "interpreter"));
  value::SharedSearch search(nullptr, 0, 1);
  value::Worker worker(search, {}, 1, nullptr, gdl::Rng(1), nullptr);
  worker.use(position.machine, nullptr);
  ASSERT_TRUE(worker.plant(position.state, 0, Deadline()));
  value::Node& root = search.tree[search.tree.root()];
  EXPECT_NEAR(std::accumulate(root.priors().begin(), root.priors().end(), 0.0), 1, 1e-3);
  for (const float value : root.own_values()) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
}

/// Without a network nothing is learned: all positions are equal but the ends.
TEST(Value, RatesMovesByTheShareOfMinimax) {
  const auto rated_as_unknown = [](const std::string& minimax) {
    const auto strategy = strategy_of("value:nodes=3000,seed=1,minimax=" + minimax);
    const Choice choice = think(*strategy, initial_position(tic_tac_toe()));
    return std::ranges::count_if(choice.root, [](const RootMove& m) { return m.value == 50; });
  };
  EXPECT_EQ(rated_as_unknown("1"), 9);
  EXPECT_LT(rated_as_unknown("0"), 9);
}

TEST(Value, ProvesThatTicTacToeIsADraw) {
  const auto strategy = strategy_of("value:nodes=1000000,seed=1");
  const Choice choice = think(*strategy, initial_position(tic_tac_toe()));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 50);
  EXPECT_LT(choice.nodes, 300'000U);
}

/// Random positions of a game, and what they are worth.
TEST(Value, IsExactOnlyWhereTheSolverSaysTheSame) {
  for (const char* game : {"tic_tac_toe", "nim", "connect_four_small"}) {
    const auto machine = bundled(game, "scalar");
    gdl::Rng rng(7);
    int proved = 0;
    for (int i = 0; i < 12; ++i) {
      Position position = initial_position(machine);
      for (int ply = 0; ply < 6 + i / 2 && !is_terminal(position); ++ply) {
        std::vector<gdl::MoveId> joint;
        for (gdl::RoleIndex r = 0; r < 2; ++r) {
          const auto moves = legal_moves(position, r);
          joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        make_move(position, joint);
      }
      if (is_terminal(position)) continue;
      position.role = legal_moves(position, 0).size() > 1 ? 0 : 1;
      const auto strategy = strategy_of("value:nodes=20000,games=20,seed=1");
      const Choice choice = think(*strategy, position);
      if (!choice.exact) continue;
      ++proved;
      const Solution solution =
          solve(position, SolveMethod::Search, Deadline(), nullptr, nullptr, true);
      EXPECT_EQ(choice.value, solution.value()) << game;
      const auto moved = std::ranges::find(solution.root, choice.move, &RootMove::move);
      ASSERT_NE(moved, solution.root.end());
      EXPECT_EQ(moved->low, choice.value) << game;
    }
    EXPECT_GT(proved, 2) << game;
  }
}

TEST(Value, RepeatsWithASeed) {
  const auto machine = bundled("breakthrough_small", "sliced");
  const auto once = [&] {
    const auto strategy = strategy_of("value:nodes=5000,games=50,seed=3");
    Position position = initial_position(machine);
    std::vector<std::uint64_t> all;
    for (int ply = 0; ply < 4; ++ply) {
      position.role = static_cast<gdl::RoleIndex>(ply % 2);
      const Choice choice = think(*strategy, position);
      for (const std::uint64_t n : visits(choice)) all.push_back(n);
      all.push_back(choice.nodes);
      std::vector<gdl::MoveId> joint{legal_moves(position, 0)[0], legal_moves(position, 1)[0]};
      joint[position.role] = choice.move;
      make_move(position, joint);
    }
    return all;
  };
  EXPECT_EQ(once(), once());
}

TEST(Value, KeepsToTheSmallerOfTwoCaps) {
  const Position position = initial_position(bundled("connect_four", "scalar"));
  const auto states = [&](const std::string& caps) {
    return think(*strategy_of("value:games=1,seed=1," + caps), position).nodes;
  };
  const std::uint64_t least = states("nodes=2000"), most = states("nodes=20000");
  EXPECT_GT(most, 2 * least);
  EXPECT_EQ(states("nodes=2000,playouts=20000"), least);
  EXPECT_EQ(states("nodes=20000,playouts=2000"), least);
  EXPECT_EQ(states("playouts=20000"), most);
}

TEST(Value, KeepsWhatItKnowsBelowTheMovesMade) {
  const auto strategy = strategy_of("value:nodes=2000,seed=1");
  Position position = initial_position(tic_tac_toe());
  const Choice first = think(*strategy, position);
  EXPECT_NE(strategy->explanation().find(" on 0 kept"), std::string::npos);
  make_move(position, std::vector<gdl::MoveId>{first.move, TicTacToe::kWait});
  position.role = 1;
  think(*strategy, position);
  EXPECT_EQ(strategy->explanation().find(" on 0 kept"), std::string::npos)
      << strategy->explanation();
}

TEST(Value, DoesNotPassItsMemory) {
  gdl::MemoryBudget budget(std::size_t{2} << 20);
  {
    const auto strategy = strategy_of("value:nodes=200000,seed=1,learn=0", {1, &budget});
    Position position = initial_position(bundled("connect_four", "scalar"));
    for (int ply = 0; ply < 6; ++ply) {
      position.role = static_cast<gdl::RoleIndex>(ply % 2);
      const Choice choice = think(*strategy, position);
      EXPECT_LE(budget.used(), budget.limit());
      // A descent to a known end counts as one of the states.
      EXPECT_GE(choice.nodes + choice.iterations, 200'000U);
      std::vector<gdl::MoveId> joint{legal_moves(position, 0)[0], legal_moves(position, 1)[0]};
      joint[position.role] = choice.move;
      make_move(position, joint);
    }
    EXPECT_NE(strategy->explanation().find("memory full"), std::string::npos)
        << strategy->explanation();
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Value, FindsWhatIsBestAtOnceAndAgainstChance) {
  // Paper wins against rock, which the other one shows most.
  const auto rounds = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(2));
  const auto strategy = strategy_of("value:nodes=3000,seed=1");
  const Choice choice = think(*strategy, initial_position(rounds));
  EXPECT_LT(choice.move, 3U);
  EXPECT_NEAR(choice.value, 50, 20);
}

std::string answer_in(const std::string& drawn, const std::string& strategy) {
  const auto machine = *TreeMachine::parse(drawn);
  const Choice choice = think(*strategy_of(strategy), initial_position(machine));
  return machine->vocabulary()->move_name(choice.move);
}

/// In each of four rounds `c` is worth 25, `b` if a coin says so, and `a` nothing.
TEST(Value, ChoosesBesideChance) {
  const std::function<std::string(int, int)> rounds = [&](int left, int score) -> std::string {
    if (left == 0) return std::to_string(score);
    const std::string more = rounds(left - 1, score + 25), same = rounds(left - 1, score);
    return "(* (a h) " + same + " (a t) " + same + " (b h) " + more + " (b t) " + same + " (c h) " +
           more + " (c t) " + more + ")";
  };
  EXPECT_EQ(answer_in("(roles robot random) " + rounds(4, 0), "value:nodes=5000,seed=1"), "c");
}

/// What roles win there does not add up to the same, which the ends beside the root show.
std::string unequal_sums() {
  const auto fork = [](const std::string& end) {
    const std::string turn = "(x " + end + " " + end + ")";
    return "(y " + turn + " " + turn + ")";
  };
  return "(roles x y) (x a (50 50) b (40 40) c " + fork("(90 10)") + " d " + fork("(10 70)") + ")";
}

TEST(Value, SearchesOnWhereTheEndsBesideTheRootHaveUnequalSums) {
  EXPECT_EQ(answer_in(unequal_sums(), "value:nodes=200,games=1,seed=1"), "c");
}

TEST(Value, SeesThatItsOwnMoveIsDecided) {
  const Choice choice = think(*strategy_of("value:nodes=100000,games=1,seed=1"),
                              initial_position(*TreeMachine::parse(unequal_sums())));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 90);
  EXPECT_LT(choice.iterations, 1000U);
}

TEST(Value, KeepsItsTreeInAGameForThree) {
  const auto strategy = strategy_of("value:nodes=2000,games=1,seed=1");
  Position position = initial_position(bundled("three_player", "sliced"));
  for (gdl::RoleIndex role = 0; role < 2; ++role) {
    position.role = role;
    const Choice choice = think(*strategy, position);
    std::uint64_t all = 0;
    for (const std::uint64_t n : visits(choice)) all += n;
    EXPECT_GT(all, role == 0 ? 0 : choice.iterations);
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < 3; ++r) {
      joint.push_back(r == role ? choice.move : legal_moves(position, r).front());
    }
    make_move(position, joint);
  }
}

TEST(Value, EndsInAGameWithoutEnd) {
  const auto strategy = strategy_of("value:nodes=3000,seed=1");
  const auto dial = std::make_shared<NativeMachine>(std::make_shared<Dial>());
  EXPECT_GE(think(*strategy, initial_position(dial)).nodes, 3000U);
}

/// What is proved of a position says nothing about a result of bad luck.
TEST(Value, LuckCountsWithItsMean) {
  EXPECT_EQ(answer_in(leave_or_bet(), "value:nodes=20000,seed=1"), "leave");
  EXPECT_EQ(answer_in(coin_or_sixty(), "value:nodes=20000,seed=1"), "sixty");
}

/// Tic-tac-toe on a machine that takes long for each state.
class SlowTicTacToe final : public TicTacToe {
 public:
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return TicTacToe::next(state, move);
  }
};

/// A turn of searching is shorter there than the children of one leaf take.
TEST(Value, PondersOnASlowMachine) {
  const auto slow = std::make_shared<NativeMachine>(std::make_shared<SlowTicTacToe>());
  const auto strategy = strategy_of("value:leaves=1,nodes=30,seed=1");
  std::stop_source source;
  const std::jthread end([&](const std::stop_token& done) {
    for (int i = 0; i < 600 && !done.stop_requested(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    source.request_stop();
  });
  const Choice choice = think(*strategy, initial_position(slow), Deadline(source.get_token()));
  EXPECT_GE(choice.nodes + choice.iterations, 30U);
}

/// A strategy that is limited by counts.
class Counted final : public Contestant {
 public:
  Counted(std::string_view text, const Resources& resources)
      : strategy_(strategy_of(text, resources)) {}
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) override {
    return think(*strategy_, position, end).move;
  }
  [[nodiscard]] std::string explanation() const { return strategy_->explanation(); }

 private:
  std::unique_ptr<Strategy> strategy_;
};

TEST(Value, TakesValuesThatAreGiven) {
  const auto machine = bundled("breakthrough_small", "sliced");
  auto made = Learner::make(machine, {}, nullptr, Deadline());
  ASSERT_TRUE(made.has_value());
  auto& learner = **made;
  EXPECT_EQ(learner.learn(Deadline(), {.games = 500}), gdl::Status::Ok);
  Resources resources;
  resources.values = [&, values = learner.snapshot()](const gdl::Machine& asked) {
    return &asked == machine.get() ? LearnedValues{values} : LearnedValues{};
  };
  const Deadline never;
  const Position start = initial_position(machine);
  SelfMatch match(start, never, nullptr, 5);
  Counted first("value:nodes=1000,seed=1", resources);
  Counted second("mcts:playouts=200,seed=1", {});
  double sum = 0;
  for (int pair = 0; pair < 3; ++pair) sum += match.play_pair(first, second).value_or(0);
  EXPECT_GE(sum, 2.5);
  EXPECT_EQ(first.explanation().find("values given"), 0U) << first.explanation();
}

/// They come with the machine of whose states they are.
TEST(Value, TakesValuesThatSeeFarther) {
  const auto machine = bundled("breakthrough_small", "sliced");
  const auto wide = with_reach(machine, 1, nullptr, Deadline()).value();
  auto learner = Learner::make(wide, {}, nullptr, Deadline()).value();
  EXPECT_EQ(learner->learn(Deadline(), {.games = 100}), gdl::Status::Ok);
  Resources resources;
  resources.values = [&, values = learner->snapshot()](const gdl::Machine&) {
    return LearnedValues{values, wide};
  };
  const auto strategy = strategy_of("value:nodes=1000,seed=1", resources);
  Position position = initial_position(machine);
  for (int ply = 0; ply < 4; ++ply) {
    const Choice choice = think(*strategy, position);
    EXPECT_EQ(strategy->explanation().find("values given"), 0U) << strategy->explanation();
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < 2; ++r) {
      joint.push_back(r == position.role ? choice.move : legal_moves(position, r).front());
    }
    make_move(position, joint);
    position.role = 1 - position.role;
  }
}

TEST(Value, GoesOnWithWhatItLearnedOnAnotherMachine) {
  const auto early = bundled("breakthrough_small", "scalar");
  const auto late = gdl::make_machine("sliced", early->vocabulary()).value();
  const auto strategy = strategy_of("value:games=300,nodes=500,seed=1");
  think(*strategy, initial_position(early));
  const std::string before = strategy->explanation();
  EXPECT_EQ(before.find("no values"), std::string::npos) << before;
  think(*strategy, initial_position(late));
  const auto games = [](const std::string& text) { return text.substr(0, text.find(" in ")); };
  EXPECT_EQ(games(strategy->explanation()), games(before));
}

class ThreadsOfValue : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Count, ThreadsOfValue, testing::Values(1U, 2U, 3U));

TEST_P(ThreadsOfValue, ProveTheSame) {
  gdl::MemoryBudget budget(std::size_t{8} << 20);
  const auto strategy = strategy_of("value:nodes=1000000,seed=1", {GetParam(), &budget});
  const Choice choice = think(*strategy, initial_position(tic_tac_toe()));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 50);
}

/// Nodes are pruned while others go down and up the tree.
TEST_P(ThreadsOfValue, PruneWhatTheySearch) {
  gdl::MemoryBudget budget(std::size_t{2} << 20);
  const auto strategy = strategy_of("value:nodes=150000,seed=1,learn=0", {GetParam(), &budget});
  Position position = initial_position(bundled("connect_four", "scalar"));
  for (int ply = 0; ply < 4; ++ply) {
    position.role = static_cast<gdl::RoleIndex>(ply % 2);
    const Choice choice = think(*strategy, position);
    EXPECT_LE(budget.used(), budget.limit());
    // A descent to a known end counts as one of the states.
    EXPECT_GE(choice.nodes + choice.iterations, 150'000U);
    std::uint64_t visits = 0;
    for (const RootMove& move : choice.root) visits += move.visits;
    EXPECT_GE(visits, choice.iterations);  // and those kept from the move before
    std::vector<gdl::MoveId> joint{legal_moves(position, 0)[0], legal_moves(position, 1)[0]};
    joint[position.role] = choice.move;
    make_move(position, joint);
  }
  EXPECT_NE(strategy->explanation().find("memory full"), std::string::npos)
      << strategy->explanation();
}

std::vector<std::string> bundled_games() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(project_folder() + "/config/games")) {
    if (file.path().extension() == ".kif") names.push_back(file.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

class ValueInBundledGames : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Games, ValueInBundledGames, testing::ValuesIn(bundled_games()),
                         [](const auto& game) { return game.param; });

TEST_P(ValueInBundledGames, MakesLegalMoves) {
  Position position = initial_position(bundled(GetParam(), "auto"));
  const std::size_t roles = position.machine->role_count();
  std::vector<std::unique_ptr<Strategy>> players;
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    players.push_back(strategy_of("value:games=100,nodes=300,seed=1"));
  }
  for (int ply = 0; ply < 4 && !is_terminal(position); ++ply) {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      const auto legal = legal_moves(position, r);
      position.role = r;
      joint.push_back(think(*players[r], position).move);
      EXPECT_TRUE(std::ranges::find(legal, joint.back()) != legal.end());
    }
    make_move(position, joint);
  }
}

}  // namespace
}  // namespace ludens::search::test
