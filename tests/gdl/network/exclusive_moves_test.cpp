// SPDX-License-Identifier: MIT
#include "gdl/network/exclusive_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gdl/network/build.h"
#include "gdl/network/simulation.h"
#include "gdl/network/turns.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

/// A king, a rook and a man on a line of five squares. The king and the man go to the next one, and
/// the game ends early where white can't move.
constexpr const char* kPieces = R"((role white) (role black) (init (control white)) (init (step 0))
  (init (cell 1 king)) (init (cell 2 man)) (init (cell 4 rook))
  (square 1) (square 2) (square 3) (square 4) (square 5)
  (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5)
  (<= (goes man ?x ?y) (next_to ?x ?y)) (<= (goes king ?x ?y) (next_to ?x ?y))
  (<= (goes king ?x ?y) (next_to ?y ?x))
  (<= (goes rook ?x ?y) (square ?x) (square ?y) (distinct ?x ?y))
  (<= (taken ?x) (true (cell ?x ?p)))
  (<= (possible (move ?p ?x ?y)) (true (cell ?x ?p)) (goes ?p ?x ?y) (not (taken ?y)))
  (<= (legal white ?m) (true (control white)) (possible ?m))
  (<= (legal white noop) (true (control black)))
  (<= (legal black (take ?x)) (true (control black)) (square ?x)) (<= (legal black noop) (true (control white)))
  (<= (next (cell ?y ?p)) (does white (move ?p ?x ?y)))
  (<= (left ?x) (does white (move ?p ?x ?y))) (<= (left ?x) (does black (take ?x)))
  (<= (next (cell ?x ?p)) (true (cell ?x ?p)) (not (left ?x)))
  (<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
  (<= (next (step ?n)) (true (step ?s)) (after ?s ?n))
  (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
  (<= stays (possible ?m)) (<= terminal (not stays)) (<= terminal (true (step 6)))
  (<= (goal ?r 50) (role ?r)))";

struct PiecesGame {
  PiecesGame() {
    auto program = tests::ground_text(kPieces);
    vocabulary = std::make_shared<Vocabulary>(program->flat.rules);
    network = build_network(*program, *vocabulary, {}).value();
    turn = find_turns(network).front();
    part = in_turn(network, turn).value();
    for (const char square : std::string("12345")) {
      auto& group = groups.emplace_back();
      for (std::uint32_t f = 0; f < part.fluents.size(); ++f) {
        const std::string name = vocabulary->fluent_text(part.fluents[f].id);
        if (name.starts_with(std::string("( cell ") + square)) group.push_back(f);
      }
    }
  }
  std::shared_ptr<Vocabulary> vocabulary;
  Network network;
  Turn turn;
  Network part;
  std::vector<std::vector<std::uint32_t>> groups;  // the pieces on each square
};

using Successors = std::multiset<std::vector<bool>>;

/// [lane]: what is next, for each legal move of the role. The other roles have one move.
std::vector<Successors> successors(const Network& network,
                                   const std::vector<std::uint64_t>& fluents, RoleIndex role) {
  std::vector<Successors> all(64);
  Simulation simulation(network);
  simulation.fluents = fluents;
  for (std::size_t made = 0; made < network.moves.size(); ++made) {
    const Network::Move& move = network.moves[made];
    if (move.role != role) continue;
    simulation.moves.assign(network.moves.size(), 0);
    simulation.moves[made] = ~std::uint64_t{0};
    simulation.evaluate();
    for (std::size_t lane = 0; lane < 64; ++lane) {
      if ((simulation.value(move.legal) >> lane & 1) == 0) continue;
      std::vector<bool> next;
      for (const Network::Fluent& f : network.fluents) {
        next.push_back((simulation.value(f.next) >> lane & 1) != 0);
      }
      all[lane].insert(std::move(next));
    }
  }
  return all;
}

/// The lanes in which the game ends.
std::uint64_t over(const Network& network, const std::vector<std::uint64_t>& fluents) {
  Simulation simulation(network);
  simulation.fluents = fluents;
  simulation.evaluate();
  return simulation.value(network.terminal);
}

TEST(ExclusiveMoves, MergedHaveTheSameSuccessors) {
  const PiecesGame game;
  const auto merged = merge_exclusive_moves(game.part, game.groups);
  ASSERT_TRUE(merged);
  // All others go where the rook goes.
  EXPECT_EQ(game.part.moves.size(), 20U + 8 + 3);
  EXPECT_EQ(merged->network.moves.size(), 20U);
  Rng rng(1);
  RandomGames games(game.network, rng);
  std::size_t compared = 0;
  for (int step = 0; step < 20; ++step) {
    games.choose();
    const std::vector<std::uint64_t>& fluents = games.now().fluents;
    const auto before = successors(game.part, fluents, 0);
    const auto after = successors(merged->network, fluents, 0);
    const std::uint64_t end = over(game.part, fluents) ^ over(merged->network, fluents);
    for (std::size_t lane = 0; lane < 64; ++lane) {
      bool in_turn = true;
      for (const auto& [fluent, holds] : game.turn) {
        in_turn = in_turn && (fluents[fluent] >> lane & 1) == (holds ? 1U : 0U);
      }
      if (!in_turn) continue;
      EXPECT_EQ(before[lane], after[lane]);
      EXPECT_EQ(end >> lane & 1, 0U);
      compared += before[lane].size();
    }
    games.step();
  }
  EXPECT_GT(compared, 500U);
}

TEST(ExclusiveMoves, NameTheFluentsThatTellMembersApart) {
  const PiecesGame game;
  const auto merged = merge_exclusive_moves(game.part, game.groups);
  ASSERT_TRUE(merged);
  const std::set<std::vector<std::uint32_t>> named(merged->apart.begin(), merged->apart.end());
  std::set<std::vector<std::uint32_t>> squares;
  for (auto group : game.groups) {
    std::ranges::sort(group);
    squares.insert(std::move(group));
  }
  // No man comes to the first square, and one on the last square has no move.
  EXPECT_EQ(named.size(), 5U);
  for (const auto& group : named) {
    EXPECT_TRUE(std::ranges::any_of(
        squares, [&](const auto& square) { return std::ranges::includes(square, group); }));
  }
}

TEST(ExclusiveMoves, MakeNothingSmallerThatTheyShareNoConditionWith) {
  const Network network = tests::network_of_bundled_game("tic_tac_toe");
  const Network part = in_turn(network, find_turns(network).front()).value();
  // At most one of all fluents: wrong, and of no use, as no condition is common to two moves.
  std::vector<std::uint32_t> all;
  for (std::uint32_t f = 0; f < part.fluents.size(); ++f) all.push_back(f);
  EXPECT_FALSE(merge_exclusive_moves(part, {all}));
  EXPECT_FALSE(merge_exclusive_moves(part, {}));
}

TEST(ExclusiveMoves, AreGivenUpWhenStopped) {
  const PiecesGame game;
  const tests::StopAfter stop(0);
  EXPECT_FALSE(merge_exclusive_moves(game.part, game.groups, &stop));
}

}  // namespace
}  // namespace ludens::gdl
