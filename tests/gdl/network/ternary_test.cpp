// SPDX-License-Identifier: MIT
// What is known of all plays, against plays.
#include "gdl/network/ternary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gdl/network/simulation.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

bool initially(const Network& network, std::size_t fluent) {
  return network.fluents[fluent].initially;
}

/// Whether any of 64 games says otherwise in one of so many steps from the initial state. Games
/// that are over begin anew, so a fluent is looked at in its first `steps` steps only as far as all
/// play.
void expect_known(const Network& network, std::uint32_t steps, Rng& rng) {
  TernarySimulation known(network);
  ASSERT_TRUE(known.run());
  const std::vector<Known> fluents = known.fluents(), moves = known.moves();
  RandomGames games(network, rng);
  bool all_play = true;  // since the initial state
  for (std::uint32_t step = 0; step < steps; ++step) {
    games.choose();
    all_play = all_play && games.playing() == ~std::uint64_t{0};
    for (std::size_t f = 0; f < fluents.size(); ++f) {
      const std::uint64_t value = games.now().value(2 * network.fluents[f].node);
      const std::uint64_t begin = initially(network, f) ? ~std::uint64_t{0} : 0;
      if (fluents[f] != Known::Open) {
        ASSERT_EQ(value, begin) << "fluent " << f << " step " << step;
        ASSERT_EQ(fluents[f] == Known::True, initially(network, f));
      } else if (all_play && step < known.changes_after(static_cast<std::uint32_t>(f))) {
        ASSERT_EQ(value, begin) << "fluent " << f << " changes before step " << step;
      }
    }
    for (std::size_t m = 0; m < moves.size(); ++m) {
      if (moves[m] != Known::False) continue;
      ASSERT_EQ(games.now().value(2 * network.moves[m].node), 0U) << "move " << m;
    }
    games.step();
  }
}

TEST(TernarySimulation, KnowsNothingThatAPlayContradicts) {
  Rng rng(20);
  for (int i = 0; i < 60; ++i) {
    const Network network = tests::random_network(rng, 40 + rng.below(100), 6);
    expect_known(network, 12, rng);
  }
}

TEST(TernarySimulation, FitsBundledGames) {
  Rng rng(21);
  for (const char* game : {"tic_tac_toe", "connect_four_small", "nim", "breakthrough_small", "pig",
                           "lights_out", "goofspiel"}) {
    SCOPED_TRACE(game);
    expect_known(tests::network_of_bundled_game(game), 40, rng);
  }
}

/// A lamp that burns from the start, one that nothing can switch on, and one that a counter
/// switches on behind its third step.
constexpr const char* kLights = R"((role man)
  (init (lit 1)) (init (count 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 3)
  (legal man wait)
  (<= (next (lit 1)) (true (lit 1)))
  (<= (next (lit 2)) (true (count 1)) (true (lit 1)) (not (true (lit 1))))
  (<= (next (lit 3)) (true (count 2)))
  (<= (next (count ?y)) (true (count ?x)) (after ?x ?y))
  (<= terminal (true (lit 3)) (true (count 0)))
  (<= (goal man 100) (true (lit 1))) (<= (goal man 0) (not (true (lit 1)))))";

TEST(TernarySimulation, KnowsWhatStaysAndWhenTheRestBegins) {
  auto grounded = tests::ground_text(kLights);
  Vocabulary vocabulary(grounded->flat.rules);
  const Network network = build_network(*grounded, vocabulary, {}).value();
  TernarySimulation known(network);
  ASSERT_TRUE(known.run());
  const auto fluents = known.fluents();
  std::vector<std::string> text;
  for (std::size_t f = 0; f < fluents.size(); ++f) {
    text.push_back(vocabulary.fluent_name(network.fluents[f].id) + ": " +
                   (fluents[f] == Known::True ? "always"
                    : fluents[f] == Known::False
                        ? "never"
                        : std::to_string(known.changes_after(static_cast<std::uint32_t>(f)))));
  }
  std::ranges::sort(text);
  EXPECT_EQ(text, (std::vector<std::string>{"( count 0 ): 1", "( count 1 ): 1", "( count 2 ): 2",
                                            "( count 3 ): 3", "( lit 1 ): always",
                                            "( lit 2 ): never", "( lit 3 ): 3"}));
}

TEST(TernarySimulation, SaysWhenItWasStopped) {
  const tests::StopAfter stop(0);
  Rng rng(22);
  const Network network = tests::random_network(rng, StopPoll::kWorkBetween, 6);
  EXPECT_FALSE(TernarySimulation(network, &stop).run());
}

}  // namespace
}  // namespace ludens::gdl
