// SPDX-License-Identifier: MIT
#include "search/mcts/simultaneous.h"

#include <map>

#include "search/mcts/worker.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search::test {
namespace {

/// Games of one joint move: rows for `a`, columns for `b`, goals of `a`; those of `b` are the rest.
std::shared_ptr<const gdl::Machine> matrix(const std::vector<std::vector<int>>& goals) {
  std::string text = "(roles a b) (*";
  for (std::size_t i = 0; i < goals.size(); ++i) {
    for (std::size_t j = 0; j < goals[i].size(); ++j) {
      text +=
          " (r" + std::to_string(i) + " c" + std::to_string(j) + ") " + std::to_string(goals[i][j]);
    }
  }
  const auto parsed = TreeMachine::parse(text + ")");
  EXPECT_TRUE(parsed.has_value());
  return parsed ? *parsed : nullptr;
}

/// The mix that a search of one position arrives at, move by move, for the role that thinks; and
/// what the position is worth to it.
struct Found {
  std::vector<double> mix;
  double value = 0;
};

Found search_mix(const std::shared_ptr<const gdl::Machine>& machine, mcts::SimultaneousRule rule,
                 gdl::RoleIndex role, std::uint64_t descents, std::uint64_t seed = 7,
                 const mcts::PassSize& size = {}) {
  mcts::SharedSearch search(nullptr, std::size_t{64} << 20);
  search.role = role;
  search.bounds = false;
  search.policy.simultaneous = rule;
  search.policy.mixing = 0.05;
  const Position position = initial_position(machine);
  std::vector<gdl::MoveId> moves;
  std::vector<std::uint32_t> begins{0};
  for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) {
    for (const gdl::MoveId move : legal_moves(position, r)) moves.push_back(move);
    begins.push_back(static_cast<std::uint32_t>(moves.size()));
  }
  EXPECT_TRUE(search.graph.plant({position.state, false, {}, moves, begins}, 0, 0));
  search.restart(descents);
  mcts::Worker worker(search, gdl::Rng(seed), nullptr, 1);
  worker.use(machine.get());
  worker.run(size, Deadline(), [] {});
  const mcts::Node& root = search.graph[search.graph.root()];
  const auto chances = mcts::mix(search.graph, root, role, search.policy);
  std::map<gdl::MoveId, double> by_move;
  for (std::uint32_t i = 0; i < chances.size(); ++i) by_move[root.move(role, i)] = chances[i];
  Found found{{}, 100.0 * root.mean(role)};
  for (const auto& [move, chance] : by_move) found.mix.push_back(chance);
  return found;
}

void expect_mix(const Found& found, const std::vector<double>& mix, double value, double within) {
  ASSERT_EQ(found.mix.size(), mix.size());
  for (std::size_t i = 0; i < mix.size(); ++i) EXPECT_NEAR(found.mix[i], mix[i], within) << i;
  EXPECT_NEAR(found.value, value, 100 * within);
}

TEST(DecoupledUct, RolesDoNotChooseInStep) {
  // If both roles order their moves in the same way after equal goals, only three of the nine joint
  // moves are ever made, and where one role wins all of them its value is 100.
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Found found = search_mix(machine, mcts::SimultaneousRule::Uct, 0, 3000, seed);
    EXPECT_NEAR(found.value, 50, 15) << "seed " << seed;
  }
}

TEST(DecoupledUct, RolesDoNotPairTheirDescentsOfAPass) {
  // Both divide them evenly. If the halves met in order, no descent would leave one diagonal.
  const auto machine = matrix({{100, 0}, {0, 100}});
  mcts::PassSize size;
  size.leaves = 16;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Found found = search_mix(machine, mcts::SimultaneousRule::Uct, 0, 20'000, seed, size);
    EXPECT_NEAR(found.value, 50, 15) << "seed " << seed;
  }
}

class Mixing : public testing::TestWithParam<mcts::SimultaneousRule> {};
INSTANTIATE_TEST_SUITE_P(Rules, Mixing,
                         testing::Values(mcts::SimultaneousRule::Regret,
                                         mcts::SimultaneousRule::Exp3));

TEST_P(Mixing, RockPaperScissorsIsPlayedEvenly) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  for (const gdl::RoleIndex role : {0U, 1U}) {
    expect_mix(search_mix(machine, GetParam(), role, 100'000), {1 / 3.0, 1 / 3.0, 1 / 3.0}, 50,
               0.05);
  }
}

TEST_P(Mixing, BiasedRockPaperScissorsIsPlayedByItsEquilibrium) {
  // Rock wins 50 above a draw, paper and scissors 25: each is shown in proportion to what the
  // other two win from one another: paper and rock 25, rock and scissors 50, scissors and paper 25.
  const auto machine = matrix({{50, 25, 100}, {75, 50, 25}, {0, 75, 50}});
  expect_mix(search_mix(machine, GetParam(), 0, 200'000), {0.25, 0.5, 0.25}, 50, 0.07);
}

TEST_P(Mixing, MatchingPenniesWithUnevenStakesAreMixedByTheOthersStakes) {
  // a: p * 100 + (1 - p) * 20 = p * 20 + (1 - p) * 60, p = 1/3; the same for b; the value is 140/3.
  const auto machine = matrix({{100, 20}, {20, 60}});
  expect_mix(search_mix(machine, GetParam(), 0, 200'000), {1 / 3.0, 2 / 3.0}, 140 / 3.0, 0.06);
  expect_mix(search_mix(machine, GetParam(), 1, 200'000), {1 / 3.0, 2 / 3.0}, 160 / 3.0, 0.06);
}

/// All descents of a pass draw before any of them learns.
TEST_P(Mixing, DescentsOfAPassLearnByTheChancesOfTheirDraws) {
  // a: p * 100 = (1 - p) * 30, p = 3/13; the same for b; the value is 300/13.
  const auto machine = matrix({{100, 0}, {0, 30}});
  mcts::PassSize size;
  size.leaves = 128;
  for (const std::uint64_t seed : {3, 4}) {
    const Found found = search_mix(machine, GetParam(), 0, 100'000, seed, size);
    expect_mix(found, {3 / 13.0, 10 / 13.0}, 300 / 13.0, 0.06);
  }
}

TEST_P(Mixing, ADominatedMoveIsLeft) {
  const auto found = search_mix(matrix({{60, 80}, {50, 10}}), GetParam(), 0, 50'000);
  EXPECT_GT(found.mix[0], 0.97);
}

TEST_P(Mixing, RoundsOfItAreWorthTheSame) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(2));
  const auto found = search_mix(machine, GetParam(), 0, 100'000);
  EXPECT_NEAR(found.value, 50, 5);
  for (const double chance : found.mix) EXPECT_NEAR(chance, 1 / 3.0, 0.15);
}

/// How often each move is the answer over many seeds.
std::map<gdl::MoveId, int> answers(const std::shared_ptr<const gdl::Machine>& machine,
                                   const std::string& options) {
  std::map<gdl::MoveId, int> count;
  for (int seed = 1; seed <= 60; ++seed) {
    const std::string strategy = "mcts:playouts=2000," + options + ",seed=" + std::to_string(seed);
    ++count[think(*strategy_of(strategy), initial_position(machine)).move];
  }
  return count;
}

TEST(MixedAnswer, IsDrawnWhereEveryMoveCanBePunished) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  const auto count = answers(machine, "simultaneous=regret,mixed=on");
  ASSERT_EQ(count.size(), 3U);
  for (const auto& [move, times] : count) EXPECT_GT(times, 8) << move;
}

TEST(MixedAnswer, IsNotDrawnWhereAMoveIsSafe) {
  const auto count =
      answers(matrix({{60, 65}, {10, 62}, {62, 10}}), "simultaneous=regret,mixed=on");
  EXPECT_EQ(count.size(), 1U);
}

TEST(MixedAnswer, IsTheSameForTheSameSeed) {
  const auto machine = std::make_shared<NativeMachine>(std::make_shared<RockPaperScissors>(1));
  for (const char* rule : {"uct", "regret", "exp3"}) {
    const std::string strategy = std::string("mcts:playouts=500,seed=3,simultaneous=") + rule;
    const Choice a = think(*strategy_of(strategy), initial_position(machine));
    const Choice b = think(*strategy_of(strategy), initial_position(machine));
    EXPECT_EQ(a.move, b.move);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a.root[i].visits, b.root[i].visits);
  }
}

}  // namespace
}  // namespace ludens::search::test
