// SPDX-License-Identifier: MIT
#include "gdl/policy/tactics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "gdl/network/simulation.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/sliced/machine_network.h"
#include "tests/gdl/policy/games.h"

namespace ludens::gdl {
namespace {

/// Compares what gates say of random states with what the machine says of all moves.
class Comparison {
 public:
  Comparison(const Machine& machine, const Network& game, const Tactics& tactics)
      : machine_(machine),
        game_(game),
        tactics_(tactics),
        simulation_(tactics.network),
        context_(machine.make_context()),
        turns_(find_turns(game)) {}

  std::uint64_t states = 0, wins = 0, threats = 0, avoided = 0;

  /// One game at random.
  void play(Rng& rng) {
    State now;
    ASSERT_EQ(machine_.initial(*context_, now), Status::Ok);
    for (int step = 0; step < 200; ++step) {
      bool over = false;
      ASSERT_EQ(machine_.terminal(*context_, now, over), Status::Ok);
      if (over || !look(now)) return;
      std::vector<MoveId> joint;
      for (const auto& moves : legal_) {
        joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      }
      State after;
      ASSERT_EQ(machine_.next(*context_, now, joint, after), Status::Ok);
      compare(now);
      now = after;
    }
  }

 private:
  using Legal = std::vector<std::vector<MoveId>>;

  // False where a role has no move.
  bool look(StateView state) {
    legal_ = legal_moves(state);
    return std::ranges::none_of(legal_, [](const auto& moves) { return moves.empty(); });
  }
  Legal legal_moves(StateView state) {
    Legal legal(machine_.role_count());
    for (RoleIndex r = 0; r < legal.size(); ++r) {
      EXPECT_EQ(machine_.legal(*context_, state, r, legal[r]), Status::Ok);
    }
    return legal;
  }

  // The role that alone has a choice.
  static std::optional<RoleIndex> chooser(const Legal& legal) {
    std::optional<RoleIndex> role;
    for (RoleIndex r = 0; r < legal.size(); ++r) {
      if (legal[r].empty() || (legal[r].size() > 1 && role)) return std::nullopt;
      if (legal[r].size() > 1) role = r;
    }
    return role;
  }

  State after(StateView state, const Legal& legal, RoleIndex role, MoveId move) {
    std::vector<MoveId> joint;
    for (RoleIndex r = 0; r < legal.size(); ++r) joint.push_back(r == role ? move : legal[r][0]);
    State next;
    EXPECT_EQ(machine_.next(*context_, state, joint, next), Status::Ok);
    return next;
  }
  bool is_over(StateView state) {
    bool over = false;
    EXPECT_EQ(machine_.terminal(*context_, state, over), Status::Ok);
    return over;
  }
  bool has_won(StateView state, RoleIndex role) {
    if (!is_over(state)) return false;
    std::vector<int> goals(machine_.role_count());
    EXPECT_EQ(machine_.goals(*context_, state, goals), Status::Ok);
    return goals[role] == 100;
  }
  bool wins_by(StateView state, const Legal& legal, RoleIndex role, MoveId move) {
    return has_won(after(state, legal, role, move), role);
  }

  [[nodiscard]] bool holds(Edge e) const { return (simulation_.value(e) & 1) != 0; }
  [[nodiscard]] static bool has(StateView state, std::uint32_t fluent) {
    return (state.words()[fluent / 64] >> (fluent % 64) & 1) != 0;
  }

  void compare(StateView state) {
    ++states;
    for (std::uint32_t f = 0; f < game_.fluents.size(); ++f) {
      simulation_.fluents[f] = has(state, f) ? 1 : 0;
    }
    simulation_.evaluate();
    const auto role = chooser(legal_);
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      const Network::Move& move = game_.moves[m];
      const bool legal = std::ranges::find(legal_[move.role], move.id) != legal_[move.role].end();
      if (holds(tactics_.wins[m])) {
        EXPECT_TRUE(legal && wins_by(state, legal_, move.role, move.id));
      }
      if (role != move.role || !legal) continue;
      EXPECT_EQ(holds(tactics_.wins[m]), wins_by(state, legal_, *role, move.id));
      wins += holds(tactics_.wins[m]) ? 1 : 0;
      if (!tactics_.avoided.empty()) compare_avoided(state, m);
    }
    if (role && turns_.size() == 2) compare_threats(state, *role);
  }

  // Whether the other role can win after a move that does not end the game.
  void compare_avoided(StateView state, std::size_t m) {
    const Network::Move& move = game_.moves[m];
    const State next = after(state, legal_, move.role, move.id);
    if (is_over(next)) return;
    const Legal legal = legal_moves(next);
    const auto role = chooser(legal);
    if (!role) return;  // whose turn it is can't be seen from here
    const bool lost = *role != move.role && std::ranges::any_of(legal[*role], [&](MoveId reply) {
      return wins_by(next, legal, *role, reply);
    });
    EXPECT_EQ(holds(tactics_.avoided[m]), lost);
    avoided += lost ? 1 : 0;
  }

  // Whether the other role would win by the same move if it were in control.
  void compare_threats(StateView state, RoleIndex role) {
    State flipped(state);
    for (const auto& [fluent, value] : turns_.front()) {
      flipped.words()[fluent / 64] ^= std::uint64_t{1} << (fluent % 64);
    }
    if (is_over(flipped)) return;
    const Legal legal = legal_moves(flipped);
    if (legal[role].size() != 1) return;
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      const Network::Move& move = game_.moves[m];
      if (move.role != role) continue;
      const RoleIndex other = 1 - role;
      const bool threat = std::ranges::find(legal[other], move.id) != legal[other].end() &&
                          wins_by(flipped, legal, other, move.id);
      EXPECT_EQ(holds(tactics_.threats[m]), threat);
      threats += threat ? 1 : 0;
    }
  }

  const Machine& machine_;
  const Network& game_;
  const Tactics& tactics_;
  Simulation simulation_;
  std::unique_ptr<Machine::Context> context_;
  std::vector<Turn> turns_;
  Legal legal_;
};

/// The game of the parameter on the machine whose network counts.
class TacticsOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string text = rulesheet_text(GetParam());
    if (text.empty()) GTEST_SKIP() << "no rulesheet " << GetParam() << " beside the project";
    machine_ = machine_of_text(text, "sliced:64");
    ASSERT_NE(machine_, nullptr);
    ASSERT_NE(machine_->network(), nullptr);
    game_ = machine_->network()->game();
    ASSERT_NE(game_, nullptr);
    plain_ = plain_network(*machine_, {}).value();
  }

  std::shared_ptr<const Machine> machine_;
  std::shared_ptr<const GameNetwork> game_;
  Network plain_;
};

TEST_P(TacticsOf, AreWhatTryingAllMovesSays) {
  TacticsBudget budget;
  budget.gates = 60'000;
  auto found = find_tactics(game_->network, plain_, machine_->random_role(), true, budget);
  if (!found) {
    found = find_tactics(game_->network, plain_, machine_->random_role(), false, budget);
  }
  ASSERT_TRUE(found.has_value()) << found.error().text;
  const auto& tactics = *found;
  Comparison comparison(*machine_, game_->network, tactics);
  Rng rng(7);
  for (int i = 0; i < 200 && comparison.states < 300; ++i) comparison.play(rng);
  EXPECT_GT(comparison.wins, 0U);
  EXPECT_TRUE(tactics.avoided.empty() || comparison.avoided > 0);
  RecordProperty("states", static_cast<int>(comparison.states));
  RecordProperty("wins", static_cast<int>(comparison.wins));
  RecordProperty("threats", static_cast<int>(comparison.threats));
  RecordProperty("avoided", static_cast<int>(comparison.avoided));
}

INSTANTIATE_TEST_SUITE_P(Games, TacticsOf,
                         testing::Values("bundled:tic_tac_toe", "bundled:connect_four",
                                         "bundled:connect_four_small", "bundled:breakthrough_small",
                                         "bundled:breakthrough", "bundled:nim",
                                         "bundled:three_player", "public:connectFour",
                                         "public:connect5", "public:pentago", "public:quad_7x7",
                                         "public:ttcc4_2player", "public:knightThrough",
                                         "public:nineBoardTicTacToe", "public:tictactoe_3d_2player",
                                         "public:sheepAndWolf"),
                         [](const auto& game) { return test_name(game.param); });

/// What holds after one move alone, in 64 states at once, by the sums of products that the tactics
/// were composed of.
class LoneMove {
 public:
  LoneMove(const Network& plain, const Simulation& now) : plain_(plain), next_(plain) {
    next_.fluents = now.fluents;
  }

  void make(std::size_t move) {
    std::ranges::fill(next_.moves, 0);
    next_.moves[move] = ~std::uint64_t{0};
    next_.evaluate();
    std::vector<std::uint64_t> fluents;
    for (const Network::Fluent& f : plain_.fluents) fluents.push_back(next_.value(f.next));
    next_.fluents = std::move(fluents);
    next_.evaluate();
  }

  [[nodiscard]] const Simulation& after() const { return next_; }
  [[nodiscard]] std::uint64_t won(RoleIndex role) const {
    std::uint64_t best = 0;
    for (const auto& goal : plain_.goals[role]) {
      if (goal.value == 100) best |= next_.value(goal.edge);
    }
    return next_.value(plain_.terminal) & best;
  }

 private:
  const Network& plain_;
  Simulation next_;
};

/// Compares tactics with lone moves in games in which roles move at once.
class AtOnce {
 public:
  AtOnce(const Network& game, const Network& plain, const Tactics& tactics)
      : game_(game), plain_(plain), tactics_(tactics), simulation_(tactics.network) {
    for (std::size_t f = 0; f < plain.fluents.size(); ++f) plain_of_[plain.fluents[f].id] = f;
  }

  int wins = 0, avoided = 0;

  void compare(const RandomGames& games) {
    const Simulation& now = games.now();
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      const auto& move = game_.moves[m];
      const std::size_t p = plain_move(move);
      const std::uint64_t mask = games.playing() & now.value(plain_.moves[p].legal);
      LoneMove lone(plain_, now);
      lone.make(p);
      look_at(now);
      const std::uint64_t won = simulation_.value(tactics_.wins[m]) & games.playing();
      const std::uint64_t lost = simulation_.value(tactics_.avoided[m]);
      EXPECT_EQ(won, lone.won(move.role) & mask);
      wins += std::popcount(won);
      look_at(lone.after());
      const std::uint64_t goes_on = mask & ~lone.after().value(plain_.terminal);
      EXPECT_EQ(lost & goes_on, some_win_but_of(move.role) & goes_on);
      avoided += std::popcount(lost & goes_on);
    }
  }

 private:
  std::size_t plain_move(const Network::Move& move) const {
    const auto found = std::ranges::find_if(plain_.moves, [&](const Network::Move& m) {
      return m.role == move.role && m.id == move.id;
    });
    return static_cast<std::size_t>(found - plain_.moves.begin());
  }
  void look_at(const Simulation& state) {
    for (std::size_t f = 0; f < game_.fluents.size(); ++f) {
      simulation_.fluents[f] = state.fluents[plain_of_.at(game_.fluents[f].id)];
    }
    simulation_.evaluate();
  }
  [[nodiscard]] std::uint64_t some_win_but_of(RoleIndex role) const {
    std::uint64_t some = 0;
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      if (game_.moves[m].role != role) some |= simulation_.value(tactics_.wins[m]);
    }
    return some;
  }

  const Network& game_;
  const Network& plain_;
  const Tactics& tactics_;
  Simulation simulation_;
  std::map<FluentId, std::size_t> plain_of_;
};

class TacticsAtOnce : public TacticsOf {};

TEST_P(TacticsAtOnce, AreAsIfTheOthersDidNothing) {
  const auto found = find_tactics(game_->network, plain_, machine_->random_role(), true, {});
  ASSERT_TRUE(found.has_value()) << found.error().text;
  AtOnce comparison(game_->network, plain_, *found);
  Rng rng(7);
  RandomGames games(plain_, rng);
  for (int step = 0; step < 40; ++step) {
    games.choose();
    comparison.compare(games);
    games.step();
  }
  EXPECT_GT(comparison.wins, 0);
  RecordProperty("avoided", comparison.avoided);
}

INSTANTIATE_TEST_SUITE_P(Games, TacticsAtOnce,
                         testing::Values("bundled:bidding_tic_tac_toe", "bundled:tron",
                                         "public:biddingTicTacToe",
                                         "public:connectFourSimultaneous"),
                         [](const auto& game) { return test_name(game.param); });

TEST(Tactics, StopWithinTheirBudget) {
  const auto machine = machine_of_text(rulesheet_text("bundled:breakthrough"), "sliced:64");
  const Network plain = plain_network(*machine, {}).value();
  const Network& game = machine->network()->game()->network;
  TacticsBudget few_gates;
  few_gates.gates = 100;
  EXPECT_EQ(find_tactics(game, plain, std::nullopt, false, few_gates).error().text,
            "winning moves take too many gates");
  TacticsBudget little_work;
  little_work.work = 1'000;
  EXPECT_EQ(find_tactics(game, plain, std::nullopt, false, little_work).error().text,
            "winning moves take too long to find");
}

}  // namespace
}  // namespace ludens::gdl
