// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "gdl/network/build.h"
#include "gdl/network/simulation.h"
#include "gdl/scalar/engines.h"
#include "gdl/scalar/guards.h"
#include "gdl/scalar/move_sets.h"
#include "gdl/scalar/playouts.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/network/networks.h"

namespace ludens::gdl::scalar {
namespace {

using Words = std::vector<std::uint64_t>;

/// What the network itself says of one state, in all lanes of a simulation.
class Truth {
 public:
  Truth(const Network& network, const Program& program)
      : network_(network), program_(program), simulation_(network) {
    for (const Program::Move& m : program.moves) {
      const auto found = std::ranges::find_if(
          network.moves, [&](const Network::Move& n) { return n.role == m.role && n.id == m.id; });
      move_of_.push_back(static_cast<std::size_t>(found - network.moves.begin()));
    }
  }

  void ask(const Words& state, std::span<const MoveIndex> moves) {
    for (std::size_t f = 0; f < network_.fluents.size(); ++f)
      simulation_.fluents[f] = -(state[f / 64] >> (f % 64) & 1);
    std::ranges::fill(simulation_.moves, 0);
    for (const MoveIndex m : moves) {
      if (m != kNoMove) simulation_.moves[move_of_[m]] = ~std::uint64_t{0};
    }
    simulation_.evaluate();
  }
  [[nodiscard]] bool terminal() const { return holds(network_.terminal); }
  [[nodiscard]] std::vector<MoveIndex> legal(RoleIndex role) const {
    std::vector<MoveIndex> out;
    for (MoveIndex m = program_.first_move[role]; m < program_.first_move[role + 1]; ++m) {
      if (holds(network_.moves[move_of_[m]].legal)) out.push_back(m);
    }
    return out;
  }
  [[nodiscard]] Words next() const {
    Words words(program_.state_words(), 0);
    for (std::size_t f = 0; f < network_.fluents.size(); ++f) {
      if (holds(network_.fluents[f].next)) words[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    return words;
  }

 private:
  [[nodiscard]] bool holds(Edge e) const { return (simulation_.value(e) & 1) != 0; }
  const Network& network_;
  const Program& program_;
  Simulation simulation_;
  std::vector<std::size_t> move_of_;  // [move of the program]
};

std::map<std::string, std::unique_ptr<Engine>> all_engines(const Network& network,
                                                           const Program& program) {
  std::map<std::string, std::unique_ptr<Engine>> engines;
  engines["interpreted"] = make_pass_engine(program, kernel::kLanes64, std::nullopt);
  for (const std::size_t lanes : {256, 512}) {
    if (kernel::find(lanes) == nullptr) continue;
    auto code = native::generate(program, lanes, {});
    EXPECT_TRUE(code);
    engines["generated " + std::to_string(lanes)] =
        make_pass_engine(program, *kernel::find(lanes), std::move(code));
  }
  engines["events"] = make_event_engine(network, program);
  return engines;
}

/// Goes about at random, forth, back and far, legally or not, and compares every answer.
void compare(const Network& network, Rng& rng, int steps) {
  const auto compiled = compile(network);
  ASSERT_TRUE(compiled.has_value());
  const auto& program = *compiled;
  Truth truth(network, program);
  const auto engines = all_engines(network, program);
  std::map<std::string, std::unique_ptr<Position>> positions;
  for (const auto& [name, engine] : engines) positions[name] = engine->position();
  Words initial(program.state_words(), 0);
  for (std::size_t f = 0; f < program.initially.size(); ++f) {
    if (program.initially[f]) initial[f / 64] |= std::uint64_t{1} << (f % 64);
  }
  std::vector<Words> way{initial};
  for (int step = 0; step < steps; ++step) {
    const Words now =
        way[rng.below(3) != 0 ? way.size() - 1 : rng.below(static_cast<std::uint32_t>(way.size()))];
    truth.ask(now, {});
    std::vector<MoveIndex> moves, legal;
    for (RoleIndex r = 0; r < program.roles(); ++r) {
      legal = truth.legal(r);
      const std::uint32_t of = program.first_move[r + 1] - program.first_move[r];
      if (legal.empty() || rng.below(10) == 0) {
        moves.push_back(of == 0 || rng.below(4) == 0 ? kNoMove
                                                     : program.first_move[r] + rng.below(of));
      } else {
        moves.push_back(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      }
    }
    truth.ask(now, moves);
    Words after;
    for (const auto& [name, position] : positions) {
      SCOPED_TRACE(name);
      position->go_to(StateView(now));
      ASSERT_EQ(position->terminal(), truth.terminal());
      for (RoleIndex r = 0; r < program.roles(); ++r) {
        const auto expected = truth.legal(r);
        position->legal(r, legal);
        ASSERT_EQ(legal, expected);
        ASSERT_EQ(position->legal_count(r), expected.size());
        for (std::uint32_t k = 0; k < expected.size(); k += 3)
          ASSERT_EQ(position->legal_at(r, k), expected[k]);
      }
      position->next(moves, after);
      ASSERT_EQ(after, truth.next());
    }
    way.push_back(after);
  }
}

TEST(Engines, AgreeWithTheNetworkOfBundledGames) {
  for (const char* game : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "checkers",
                           "goofspiel", "tron", "peg_solitaire", "pig", "three_player"}) {
    SCOPED_TRACE(game);
    Rng rng(5);
    compare(tests::network_of_bundled_game(game), rng, 60);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Engines, AgreeWithRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::uint32_t gates = 1 + rng.below(seed % 10 == 0 ? 6000 : 300);
    compare(tests::random_network(rng, gates, 3 + rng.below(60)), rng, 20);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Engines, OneIsChosen) {
  const Network network = tests::network_of_bundled_game("tic_tac_toe");
  const auto program = compile(network).value();
  const auto engine = choose_engine(network, program, {});
  ASSERT_NE(engine, nullptr);
  Rng rng(1);
  const auto position = engine->position();
  Player player(*position, program.roles());
  Words initial(program.state_words(), 0);
  for (std::size_t f = 0; f < program.initially.size(); ++f) {
    if (program.initially[f]) initial[f / 64] |= std::uint64_t{1} << (f % 64);
  }
  for (int game = 0; game < 50; ++game) {
    player.start(StateView(initial));
    bool ended = false;
    const std::uint32_t steps = player.play(100, rng, ended);
    EXPECT_TRUE(ended);
    EXPECT_GE(steps, 5U);
    EXPECT_LE(steps, 9U);
  }
  player.start(StateView(initial));
  bool ended = true;
  EXPECT_EQ(player.play(3, rng, ended), 3U);
  EXPECT_FALSE(ended);
}

/// An endless game of one legal move, whose first steps take long by a clock of its own.
class SlowAtFirst : public Engine {
 public:
  explicit SlowAtFirst(Clock::time_point& time) : time_(time) {}
  [[nodiscard]] std::string_view name() const override { return "slow at first"; }
  [[nodiscard]] std::unique_ptr<Position> position() const override {
    return std::make_unique<Place>(time_);
  }
  [[nodiscard]] std::size_t position_bytes() const override { return sizeof(Place); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  class Place : public Position {
   public:
    explicit Place(Clock::time_point& time) : time_(time) {}
    void go_to(StateView /*state*/) override {}
    [[nodiscard]] bool terminal() override { return false; }
    [[nodiscard]] std::uint32_t legal_count(RoleIndex /*role*/) override { return 1; }
    [[nodiscard]] MoveIndex legal_at(RoleIndex /*role*/, std::uint32_t /*k*/) override { return 0; }
    void legal(RoleIndex /*role*/, std::vector<MoveIndex>& out) override { out = {0}; }
    void next(std::span<const MoveIndex> /*moves*/, std::vector<std::uint64_t>& out) override {
      time_ += steps_++ == 0 ? std::chrono::microseconds(5000) : std::chrono::microseconds(10);
      out.assign(1, 0);
    }

   private:
    Clock::time_point& time_;
    int steps_ = 0;
  };
  Clock::time_point& time_;
};

TEST(Engines, WhatTheFirstStepsTakeDoesNotCount) {
  const auto program = compile(tests::network_of_bundled_game("tic_tac_toe")).value();
  Clock::time_point time;
  const SlowAtFirst engine(time);
  EXPECT_NEAR(steps_per_second(engine, program, nullptr, [&] { return time; }), 1e5, 1);
}

TEST(Engines, AGameThatIsOverAtTheStartHasNoSpeed) {
  const auto ground = tests::ground_text(
      "(role a) (init s) (legal a m) (goal a 50) (<= terminal (true s)) (next s)");
  Vocabulary vocabulary(ground->flat.rules);
  const auto program = compile(build_network(*ground, vocabulary, {}).value()).value();
  const auto engine = make_pass_engine(program, kernel::kLanes64, std::nullopt);
  EXPECT_EQ(steps_per_second(*engine, program, nullptr, [] { return Clock::time_point(); }), 0);
}

TEST(Guards, TheControlFluentIsFoundAndTakenOut) {
  const Network network = tests::network_of_bundled_game("breakthrough");
  StopPoll never(nullptr);
  const GuardedNetwork guarded = take_out_guards(network, never);
  ASSERT_EQ(guarded.guards.size(), 2U);
  for (RoleIndex r = 0; r < 2; ++r) {
    ASSERT_TRUE(guarded.guards[r]);
    const NodeId guard = guarded.network.fluents[guarded.guards[r]->fluent].node;
    std::size_t unguarded = 0;
    for (std::size_t m = 0; m < network.moves.size(); ++m) {
      if (network.moves[m].role != r) continue;
      if (guarded.guards[r]->unguarded[m]) {
        ++unguarded;
      } else {
        const Edge legal[] = {guarded.network.moves[m].legal};
        EXPECT_FALSE(guarded.network.cone(legal)[guard]);
      }
    }
    EXPECT_EQ(unguarded, 1U);  // noop
  }
  EXPECT_NE(guarded.guards[0]->fluent == guarded.guards[1]->fluent,
            guarded.guards[0]->inverted == guarded.guards[1]->inverted);
}

TEST(MoveSets, CountAndListWhatTheyHold) {
  const std::vector<std::uint32_t> first{0, 130, 130, 135};
  MoveSets sets(first);
  std::vector<MoveIndex> out, expected;
  Rng rng(2);
  std::vector<bool> in(135, false);
  for (int i = 0; i < 500; ++i) {
    const MoveIndex m = rng.below(135);
    in[m] = !in[m];
    sets.flip(m < 130 ? 0 : 2, m);
  }
  for (const RoleIndex role : {RoleIndex{0}, RoleIndex{1}, RoleIndex{2}}) {
    expected.clear();
    for (MoveIndex m = first[role]; m < first[role + 1]; ++m) {
      if (in[m]) expected.push_back(m);
      EXPECT_EQ(sets.contains(role, m), in[m]);
    }
    sets.list(role, out);
    EXPECT_EQ(out, expected);
    ASSERT_EQ(sets.count(role), expected.size());
    for (std::uint32_t k = 0; k < expected.size(); ++k) EXPECT_EQ(sets.at(role, k), expected[k]);
  }
  sets.assign(0, 130, [](MoveIndex m) { return std::uint64_t{m % 2}; });
  EXPECT_EQ(sets.count(0), 65U);
  EXPECT_EQ(sets.at(0, 64), 129U);
}

}  // namespace
}  // namespace ludens::gdl::scalar
