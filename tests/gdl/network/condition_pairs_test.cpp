// SPDX-License-Identifier: MIT
#include "gdl/network/passes/condition_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gdl/network/simulation.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

/// 36 moves from one of six squares to another one, of four conditions each: two depend on where
/// the move begins, and two on where it ends.
Network moves_between_squares() {
  std::string rules = R"((role r)
    (<= (base (at ?a)) (square ?a)) (<= (base (ready ?a)) (square ?a))
    (<= (base (free ?a)) (square ?a)) (<= (base (safe ?a)) (square ?a))
    (<= (init ?f) (base ?f))
    (<= (legal r (go ?a ?b)) (true (at ?a)) (true (ready ?a)) (true (free ?b)) (true (safe ?b)))
    (<= (next (at ?b)) (does r (go ?a ?b))) (<= (next (ready ?a)) (does r (go ?a ?b)))
    (<= (next (free ?a)) (does r (go ?a ?b))) (<= (next (safe ?a)) (does r (go ?b ?a)))
    (<= (next (at ?a)) (true (at ?a)) (true (free ?a)))
    (<= terminal (true (at 1)) (true (at 2))) (goal r 50))";
  for (int i = 1; i <= 6; ++i) rules += "(square " + std::to_string(i) + ")";
  auto grounded = tests::ground_text(rules);
  Vocabulary vocabulary(grounded->flat.rules);
  return build_network(*grounded, vocabulary, {}).value();
}

std::size_t widest_legal(const Network& network) {
  std::size_t widest = 0;
  for (const Network::Move& m : network.moves) {
    widest = std::max(widest, network.gates.inputs(node_of(m.legal)).size());
  }
  return widest;
}

TEST(ConditionPairs, AreGatesWhereMovesHaveThemInCommon) {
  const Network before = moves_between_squares();
  const auto after = share_condition_pairs(before);
  ASSERT_TRUE(after);
  EXPECT_EQ(widest_legal(before), 4U);
  EXPECT_EQ(widest_legal(*after), 3U);
  // One pair for each of six squares in place of one gate for each of 36 moves.
  EXPECT_EQ(measure(before).two_input - measure(*after).two_input, 36U - 6);
  Rng rng(1);
  EXPECT_EQ(find_difference(before, *after, 40, rng), std::nullopt);
}

TEST(ConditionPairs, SayWhatRandomNetworksSay) {
  Rng rng(2);
  int changed = 0;
  for (int i = 0; i < 60; ++i) {
    Network network = tests::random_network(rng, 40, 4);
    // Moves that are legal where four to seven of ten conditions hold.
    std::vector<Edge> all;
    for (int f = 0; f < 5; ++f) all.push_back(2 * network.fluents[f].node);
    for (int g = 0; g < 5; ++g) all.push_back(network.goals[g % 2][g / 2].edge);
    for (Network::Move& m : network.moves) {
      std::vector<Edge> conditions;
      const std::uint32_t count = 4 + rng.below(4);
      for (std::uint32_t k = 0; k < count; ++k) conditions.push_back(all[rng.below(10)]);
      m.legal = network.gates.conjunction(conditions);
    }
    const auto after = share_condition_pairs(network);
    if (!after) continue;
    ++changed;
    EXPECT_EQ(find_difference(network, *after, 10, rng), std::nullopt) << i;
  }
  EXPECT_GT(changed, 10);
}

TEST(ConditionPairs, AreNotLookedForInShortConditions) {
  EXPECT_FALSE(share_condition_pairs(tests::network_of_bundled_game("tic_tac_toe")));
}

TEST(ConditionPairs, CanBeStopped) {
  const tests::StopAfter stop(0);
  Rng rng(3);
  EXPECT_FALSE(share_condition_pairs(tests::random_network(rng, 20'000, 4), &stop));
  EXPECT_EQ(stop.asked(), 1);
}

}  // namespace
}  // namespace ludens::gdl
