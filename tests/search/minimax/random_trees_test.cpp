// SPDX-License-Identifier: MIT
// On thousands of trees by chance, every search agrees with plain enumeration.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sanitizers.h"
#include "tests/search/thinking.h"
#include "tests/search/tree/drawn_game.h"
#include "tests/search/tree/random_trees.h"

namespace ludens::search {
namespace {

/// The role that decides at a node where no more than one has a choice; 0 where none has.
std::size_t decider(const std::vector<std::size_t>& moves) {
  const auto found = std::ranges::find_if(moves, [](std::size_t count) { return count > 1; });
  return found == moves.end() ? 0 : static_cast<std::size_t>(found - moves.begin());
}

/// Minimax for a role: over its moves the largest, of the least over the others' joint moves.
Combine pessimistic(std::size_t role) {
  return [role](const std::vector<std::size_t>& moves, const std::vector<Values>& successors) {
    std::vector<double> least(moves[role], 1000);
    std::size_t faster = 1;
    for (std::size_t i = role + 1; i < moves.size(); ++i) faster *= moves[i];
    for (std::size_t i = 0; i < successors.size(); ++i) {
      double& value = least[i / faster % moves[role]];
      value = std::min(value, successors[i][role]);
    }
    Values all(moves.size(), 0);
    all[role] = std::ranges::max(least);
    return all;
  };
}

Values selfish(const std::vector<std::size_t>& moves, const std::vector<Values>& successors) {
  const std::size_t role = decider(moves);
  return *std::ranges::max_element(successors, {}, [&](const Values& v) { return v[role]; });
}

Values mean(const std::vector<Values>& successors) {
  Values sum(successors.front().size(), 0);
  for (const Values& one : successors) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
  }
  for (double& value : sum) value /= static_cast<double>(successors.size());
  return sum;
}

/// 10,000 trees, in parts that can run side by side.
class TenThousandTrees : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, TenThousandTrees, testing::Values(12, 112, 212, 312));

TEST_P(TenThousandTrees, AllMinimaxSearchesAgreeWithEnumeration) {
  gdl::Rng rng(GetParam());
  for (int i = 0; i < trials(2'500); ++i) {
    RandomTreeShape shape;
    shape.goals = i % 3 == 0 ? 101 : i % 3 == 1 ? 5 : 3;
    DrawnGame game(random_tree(shape, rng));
    const gdl::RoleIndex role = i % 2;
    const double value = enumerate(*game.machine, pessimistic(role))[role];
    const auto threshold = static_cast<int>(1 + rng.below(100));
    const Choice minimax = think(game, kPlainMinimax, role);
    const std::size_t all = game.log.read.size();
    const Choice bounded = think(game, kPlainBounded, role);
    const Choice alphabeta = think(game, kPlainAlphaBeta, role);
    ASSERT_LE(game.log.read.size(), all);
    const Choice enough =
        think(game, kPlainBounded + ",threshold=" + std::to_string(threshold), role);
    ASSERT_EQ(minimax.value, value) << "tree " << i;
    ASSERT_EQ(bounded.value, value) << "tree " << i;
    ASSERT_EQ(alphabeta.value, value) << "tree " << i;
    ASSERT_EQ(enough.value >= threshold, value >= threshold) << "tree " << i;
    ASSERT_TRUE(minimax.exact && bounded.exact && alphabeta.exact) << "tree " << i;
    ASSERT_EQ(minimax.move, alphabeta.move) << "tree " << i;
    ASSERT_EQ(minimax.move, bounded.move) << "tree " << i;
    const Choice maxn = think(game, "maxn:iterative=off,ties=first", role);
    ASSERT_EQ(maxn.value, value) << "tree " << i;
  }
}

TEST(RandomTrees, EveryRefinementOfAlphaBetaKeepsValueAndDecision) {
  gdl::Rng rng(13);
  using Change = void (*)(MinimaxRules&);
  const std::pair<const char*, Change> refinements[] = {
      {"all", [](MinimaxRules&) {}},
      {"no order", [](MinimaxRules& rules) { rules.order = rules.reorder = false; }},
      {"no bounds", [](MinimaxRules& rules) { rules.nothing = -(rules.enough = kInfinity); }},
      {"quiescence", [](MinimaxRules& rules) { rules.quiescence = true; }},
      {"no narrow windows", [](MinimaxRules& rules) { rules.pvs = false; }},
      {"a wide first window", [](MinimaxRules& rules) { rules.aspiration = 0; }},
      {"a narrow first window", [](MinimaxRules& rules) { rules.aspiration = 1; }},
      {"no killers", [](MinimaxRules& rules) { rules.killers = false; }},
      {"no history", [](MinimaxRules& rules) { rules.history = false; }},
      {"no ranks", [](MinimaxRules& rules) { rules.rank = 10'000; }}};
  for (int i = 0; i < trials(300); ++i) {
    RandomTreeShape shape;
    shape.depth = 5;
    shape.goals = i % 2 == 0 ? 101 : 3;
    shape.simultaneous = 20;
    DrawnGame game(random_tree(shape, rng));
    const Choice minimax = think(game, kPlainMinimax);
    const auto compare = [&](Strategy& strategy, const std::string& name) {
      const Choice choice = think(game, strategy);
      ASSERT_EQ(choice.value, minimax.value) << "tree " << i << " " << name;
      ASSERT_TRUE(choice.exact) << "tree " << i << " " << name;
      const auto chosen = std::ranges::find(minimax.root, choice.move, &RootMove::move);
      ASSERT_EQ(chosen->value, minimax.value) << "tree " << i << " " << name;
    };
    for (const auto& [name, change] : refinements) {
      for (const bool table : {true, false}) {
        MinimaxRules rules = alphabeta_rules(100);
        change(rules);
        TreeSettings settings;
        settings.ties = Ties::First;
        compare(*make_two_sided("alphabeta", rules, table, settings, {}), name);
      }
    }
    for (const std::string options :
         {"iterative=off", "evaluation=goal,quiescence=on", "evaluation=playouts,seed=3",
          "evaluation=mobility", "evaluation=learned,depth=100,seed=1"}) {
      compare(*test::strategy_of("alphabeta:ties=first," + options), options);
    }
  }
}

TEST(RandomTrees, PessimismTowardsJointMovesOfManyRoles) {
  gdl::Rng rng(14);
  for (int i = 0; i < trials(500); ++i) {
    RandomTreeShape shape;
    shape.roles = {"a", "b", "c"};
    shape.fixed_sum = false;
    shape.depth = 3;
    shape.simultaneous = 30;
    DrawnGame game(random_tree(shape, rng));
    const gdl::RoleIndex role = i % 3;
    const double value = enumerate(*game.machine, pessimistic(role))[role];
    for (const std::string strategy : {"minimax", "bounded", "paranoid", "alphabeta"}) {
      for (const std::string options : {":ties=first", ":iterative=off,ties=random,seed=5"}) {
        ASSERT_EQ(think(game, strategy + options, role).value, value) << strategy << " tree " << i;
      }
    }
  }
}

TEST(RandomTrees, MaxnAgreesWithEnumerationOfThreeSelfishRoles) {
  gdl::Rng rng(15);
  for (int i = 0; i < trials(1'000); ++i) {
    RandomTreeShape shape;
    shape.roles = {"a", "b", "c"};
    shape.fixed_sum = false;
    DrawnGame game(random_tree(shape, rng));
    const gdl::RoleIndex role = i % 3;
    const Values values = enumerate(*game.machine, selfish);
    SearchTrace trace;
    const Choice choice = think(game, "maxn:iterative=off,ties=first", role, &trace);
    ASSERT_EQ(choice.value, values[role]) << "tree " << i;
    ASSERT_EQ(trace.nodes().front().value, values) << "tree " << i;
    ASSERT_EQ(think(game, "maxn:ties=first", role).value, values[role]) << "tree " << i;
  }
}

TEST(RandomTrees, ExpectimaxAgreesWithEnumerationOfChance) {
  gdl::Rng rng(16);
  for (int i = 0; i < trials(2'000); ++i) {
    RandomTreeShape shape;
    shape.roles = {"max", "min", "random"};
    DrawnGame game(random_tree(shape, rng));
    const Combine combine = [](const auto& moves, const auto& successors) {
      const std::size_t role = decider(moves);
      if (role == 2) return mean(successors);
      if (role == 0) return std::ranges::max(successors);
      return std::ranges::min(successors);
    };
    const double value = enumerate(*game.machine, combine)[0];
    ASSERT_NEAR(think(game, "expectimax:iterative=off").value, value, 1e-9) << "tree " << i;
    ASSERT_NEAR(think(game, "expectimax").value, value, 1e-9) << "tree " << i;
    ASSERT_NEAR(think(game, "alphabeta").value, value, 1e-9) << "tree " << i;
    ASSERT_NEAR(think(game, "alphabeta:table=off,bounds=off,iterative=off").value, value, 1e-9);
  }
}

TEST_P(TenThousandTrees, StarBoundsKeepTheValueOfExpectimaxAndLookAtLess) {
  gdl::Rng rng(GetParam() + 1);
  std::size_t plain_leaves = 0, star1_leaves = 0;
  for (int i = 0; i < trials(2'500); ++i) {
    RandomTreeShape shape;
    shape.roles = {"max", "min", "random"};
    shape.goals = i % 2 == 0 ? 101 : 3;
    DrawnGame game(random_tree(shape, rng));
    const Choice plain =
        think(game, *make_two_sided("expectimax", {.mean = true}, false, plain_settings(), {}));
    const std::size_t all = game.log.read.size();
    const Choice choice = think(game, "expectimax:iterative=off,ties=first");
    ASSERT_NEAR(choice.value, plain.value, 1e-9) << "tree " << i;
    ASSERT_TRUE(choice.exact) << "tree " << i;
    const auto chosen = std::ranges::find(plain.root, choice.move, &RootMove::move);
    ASSERT_NEAR(chosen->value, plain.value, 1e-9) << "tree " << i;
    for (std::size_t k = 0; k < plain.root.size(); ++k) {
      ASSERT_LE(choice.root[k].low, plain.root[k].value + 1e-9) << "tree " << i;
      ASSERT_GE(choice.root[k].high, plain.root[k].value - 1e-9) << "tree " << i;
    }
    ASSERT_LE(game.log.read.size(), all);
    plain_leaves += all;
    star1_leaves += game.log.read.size();
    ASSERT_NEAR(think(game, "expectimax:ties=first").value, plain.value, 1e-9) << "tree " << i;
  }
  EXPECT_LT(star1_leaves * 10, plain_leaves * 9);
}

/// A tree of three roles whose goals add up to 100 in steps of 20, so that many are equal.
std::string shared_tree(std::uint32_t depth, gdl::Rng& rng) {
  if (depth == 0 || rng.below(6) == 0) {
    const std::uint32_t a = rng.below(6), b = rng.below(6 - a);
    return "(" + std::to_string(20 * a) + " " + std::to_string(20 * b) + " " +
           std::to_string(20 * (5 - a - b)) + ") ";
  }
  const char* const roles[] = {"a", "b", "c"};
  std::string text = "(" + std::string(roles[rng.below(3)]) + " ";
  for (std::uint32_t k = 2 + rng.below(2); k > 0; --k) text += shared_tree(depth - 1, rng);
  return text + ") ";
}

TEST(RandomTrees, PruningKeepsTheVectorOfMaxnAlsoWhereGoalsAreEqual) {
  gdl::Rng rng(17);
  std::size_t plain_leaves = 0, immediate_leaves = 0, sum_leaves = 0;
  for (int i = 0; i < trials(2'000); ++i) {
    DrawnGame game("(roles a b c) (a " + shared_tree(5, rng) + shared_tree(5, rng) + ")");
    const gdl::RoleIndex role = i % 3;
    const auto vector = [&](bool prune, double sum, std::size_t& leaves) {
      SearchTrace trace;
      Resources resources;
      resources.trace = &trace;
      const Choice choice = think(game, *make_maxn(prune, sum, plain_settings(), resources), role);
      EXPECT_TRUE(choice.exact) << "tree " << i << " " << sum;
      leaves += game.log.read.size();
      return std::pair(choice.move, trace.nodes().front().value);
    };
    const auto plain = vector(false, 0, plain_leaves);
    ASSERT_EQ(vector(true, 0, immediate_leaves), plain) << "tree " << i;
    ASSERT_EQ(vector(true, 100, sum_leaves), plain) << "tree " << i;
    ASSERT_EQ(think(game, "maxn:ties=first,sum=100", role).value, plain.second[role]);
  }
  EXPECT_LT(immediate_leaves, plain_leaves);
  EXPECT_LT(sum_leaves, immediate_leaves);
}

TEST(RandomTrees, AWrongSumIsFoundOutBeforeAnythingIsCalledExact) {
  const DrawnGame game("(roles a b c) (a (b (10 90 0) (50 100 100)) (c (20 0 80) (60 0 80)))");
  const Choice choice = think(game.machine, "maxn:ties=first,sum=100");
  EXPECT_EQ(choice.value, 50);
  EXPECT_TRUE(choice.exact);
}

TEST(RandomTrees, ParanoidLooksAtNoMoreThanMinimaxWithManyRoles) {
  gdl::Rng rng(18);
  std::size_t minimax_leaves = 0, paranoid_leaves = 0;
  for (int i = 0; i < trials(500); ++i) {
    DrawnGame game("(roles a b c) (a " + shared_tree(5, rng) + shared_tree(5, rng) + ")");
    const Choice minimax = think(game, kPlainMinimax, i % 3);
    minimax_leaves += game.log.read.size();
    const Choice paranoid = think(game, "paranoid:iterative=off,ties=first", i % 3);
    paranoid_leaves += game.log.read.size();
    ASSERT_EQ(paranoid.value, minimax.value) << "tree " << i;
    ASSERT_EQ(paranoid.move, minimax.move) << "tree " << i;
  }
  EXPECT_LT(paranoid_leaves * 3, minimax_leaves * 2);
}

}  // namespace
}  // namespace ludens::search
