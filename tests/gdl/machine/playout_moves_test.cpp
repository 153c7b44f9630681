// SPDX-License-Identifier: MIT
// Weights of the moves that playouts choose, counts of those made, and roles that have none, on
// every machine.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gdl/interpreter/interpreter.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/gdl/machine/network_machines.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

/// One step. Role a wins with 9 and above and loses otherwise; b has half the points.
constexpr const char* kPick = R"(
(role a) (role b) (init fresh)
(num 1) (num 2) (num 3) (num 4) (num 5) (num 6) (num 7) (num 8) (num 9) (num 10) (num 11) (num 12)
(num 13) (few 1) (few 4) (few 12) (high 9) (high 10) (high 11) (high 12) (high 13)
(<= (legal a (pick ?x)) (num ?x) (true fresh))
(<= (legal b (pick ?x)) (few ?x) (true fresh))
(<= (next (picked ?r ?x)) (does ?r (pick ?x)))
(<= terminal (not (true fresh)))
(<= won (true (picked a ?x)) (high ?x))
(<= (goal a 100) won)
(<= (goal a 0) (not won))
(<= (goal b 50) (role b)))";

using OnMachine = std::function<void(const Machine&, Machine::Context&, StateView)>;

/// Every width and form, one state at a time, and the interpreter.
void on_every_machine(const std::shared_ptr<Vocabulary>& vocabulary, const OnMachine& check) {
  tests::NetworkMachines machines = tests::network_machines(vocabulary);
  ASSERT_EQ(machines.refused, "");
  machines.owned.push_back(make_interpreter(vocabulary));
  for (std::size_t i = 0; i < machines.owned.size(); ++i) {
    const Machine& machine = *machines.owned[i];
    SCOPED_TRACE(std::string(machine.name()) + ", machine " + std::to_string(i));
    const auto context = machine.make_context();
    State initial;
    ASSERT_EQ(machine.initial(*context, initial), Status::Ok);
    check(machine, *context, initial);
  }
}

std::shared_ptr<Vocabulary> pick_game() {
  return std::make_shared<Vocabulary>(normalise_text(kPick).rules);
}

std::uint32_t playouts_for(const Machine& machine) {
  return machine.preferred_batch() > 1 ? 200'000 : 5'000;
}

MoveId move(const Machine& machine, const std::string& name) {
  const auto id = machine.vocabulary()->find_move(name);
  EXPECT_TRUE(id) << name;
  return id.value_or(0);
}

struct Made {
  std::vector<MoveId> joint;
  State state;
};

/// The first legal move of each of two roles, and where it leads.
Made first_step(const Machine& machine, Machine::Context& context, StateView from) {
  Made made;
  std::vector<MoveId> legal;
  for (const RoleIndex r : {0, 1}) {
    EXPECT_EQ(machine.legal(context, from, r, legal), Status::Ok);
    made.joint.push_back(legal.at(0));
  }
  EXPECT_EQ(machine.next(context, from, made.joint, made.state), Status::Ok);
  return made;
}

MoveCount count_of(const PlayoutSums& sums, std::size_t row, MoveId id) {
  return id < sums.moves[row].size() ? sums.moves[row][id] : MoveCount{};
}

/// Chi-square of the moves made in one step, in standard deviations from its mean.
double deviation(const Machine& machine, Machine::Context& context, StateView state, RoleIndex role,
                 const MoveWeights& weights, const PlayoutSums& sums) {
  std::vector<MoveId> legal;
  EXPECT_EQ(machine.legal(context, state, role, legal), Status::Ok);
  double all = 0, made = 0, chi2 = 0;
  for (const MoveId id : legal) {
    all += weights.of(role, id);
    made += static_cast<double>(count_of(sums, role, id).made);
  }
  EXPECT_EQ(made, static_cast<double>(sums.steps)) << "an illegal move was made";
  for (const MoveId id : legal) {
    const double expected = made * weights.of(role, id) / all;
    const double d = static_cast<double>(count_of(sums, role, id).made) - expected;
    chi2 += d * d / expected;
  }
  const auto freedom = static_cast<double>(legal.size() - 1);
  return freedom == 0 ? 0 : (chi2 - freedom) / std::sqrt(2 * freedom);
}

/// Each role's weights are given to the moves in the order of their ids.
MoveWeights weights_for(const Machine& machine, Machine::Context& context, StateView state,
                        const std::vector<std::vector<std::uint8_t>>& in_order) {
  MoveWeights weights;
  for (RoleIndex r = 0; r < in_order.size(); ++r) {
    std::vector<MoveId> legal;
    EXPECT_EQ(machine.legal(context, state, r, legal), Status::Ok);
    auto& row = weights.rows.emplace_back();
    for (std::size_t i = 0; i < legal.size() && i < in_order[r].size(); ++i) {
      row.resize(legal[i] + 1, 1);
      row[legal[i]] = in_order[r][i];
    }
  }
  return weights;
}

TEST(WeightedPlayouts, ChooseEachMoveByItsWeight) {
  const std::vector<std::vector<std::vector<std::uint8_t>>> cases = {
      {},                                                                 // nobody has weights
      {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2}},               // all the same
      {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, {15, 1, 8}},          // of four bits
      {{255, 0, 17, 128, 9, 64, 200, 31, 5, 127, 90, 3, 254}, {255, 60}}  // 0 is 1, and one of none
  };
  on_every_machine(pick_game(), [&](const Machine& machine, auto& context, StateView initial) {
    for (const auto& in_order : cases) {
      const MoveWeights weights = weights_for(machine, context, initial, in_order);
      const MoveCounting counting;
      const PlayoutOptions options{
          .per_start = playouts_for(machine), .weights = &weights, .counting = &counting};
      Rng rng(7);
      PlayoutSums sums;
      ASSERT_EQ(machine.playouts(context, {&initial, 1}, options, rng, sums), Status::Ok);
      EXPECT_EQ(sums.steps, options.per_start);
      for (const RoleIndex r : {0, 1}) {
        EXPECT_LT(std::abs(deviation(machine, context, initial, r, weights, sums)), 4) << r;
      }
    }
  });
}

// A game in which roles take turns, from a state that is not the first; only the step from there.
TEST(WeightedPlayouts, ChooseByWeightInTheTurnOfEitherRole) {
  on_every_machine(tests::bundled_game("tic_tac_toe"), [](const Machine& machine, auto& context,
                                                          StateView initial) {
    const State second = first_step(machine, context, initial).state;
    const std::vector<std::uint8_t> weight = {3, 100, 20, 1, 1, 50, 7, 30, 9};
    for (const StateView start : {initial, StateView(second)}) {
      const MoveWeights weights = weights_for(machine, context, start, {weight, weight});
      const MoveCounting counting;
      const PlayoutOptions options{.per_start = playouts_for(machine),
                                   .step_cap = 1,
                                   .weights = &weights,
                                   .counting = &counting};
      Rng rng(8);
      PlayoutSums sums;
      ASSERT_EQ(machine.playouts(context, {&start, 1}, options, rng, sums), Status::Ok);
      for (const RoleIndex r : {0, 1}) {
        EXPECT_LT(std::abs(deviation(machine, context, start, r, weights, sums)), 4) << r;
      }
    }
  });
}

// Remains of weights and counts must not disturb other calls.
TEST(WeightedPlayouts, AreFollowedByPlainOnes) {
  on_every_machine(pick_game(), [](const Machine& machine, auto& context, StateView initial) {
    MoveWeights weights;
    weights.rows = {{}, {}};
    weights.rows[0].assign(machine.vocabulary()->move_count(), 1);
    weights.rows[0][move(machine, "( pick 13 )")] = 255;
    const PlayoutOptions weighted{.per_start = playouts_for(machine), .weights = &weights};
    const PlayoutOptions plain{.per_start = playouts_for(machine)};
    const auto mean = [&](const PlayoutOptions& options) {
      Rng rng(9);
      PlayoutSums sums;
      EXPECT_EQ(machine.playouts(context, {&initial, 1}, options, rng, sums), Status::Ok);
      EXPECT_TRUE(sums.moves.empty());
      return static_cast<double>(sums.goals[0]) / options.per_start;
    };
    const double near = 4 * 50 / std::sqrt(plain.per_start);
    EXPECT_NEAR(mean(plain), 100 * 5.0 / 13, near);
    EXPECT_NEAR(mean(weighted), 100 * 259.0 / 267, near);
    EXPECT_NEAR(mean(plain), 100 * 5.0 / 13, near);
    const std::vector<MoveId> joint{move(machine, "( pick 2 )"), move(machine, "( pick 4 )")};
    const StateMove pair{initial, joint};
    Expansion out;
    ASSERT_EQ(machine.expand(context, {&pair, 1}, out), Status::Ok);
    EXPECT_EQ(out.terminal[0], 1);
    EXPECT_EQ(out.goals, (std::vector<std::uint8_t>{0, 50}));
  });
}

TEST(CountedPlayouts, CountTheirMemoryForEachStart) {
  on_every_machine(pick_game(), [](const Machine& machine, auto& /*context*/, StateView initial) {
    if (machine.preferred_batch() == 1) return;
    const MoveCounting counting{.per_start = true, .won_from = 100, .lost_to = 0};
    const PlayoutOptions options{.counting = &counting};
    constexpr std::size_t kMost = std::size_t{1} << 20;
    MemoryBudget memory(kMost);
    const auto context = machine.make_context({nullptr, &memory});
    const std::vector<StateView> many(kMost / 100, initial);
    Rng rng(3);
    PlayoutSums sums;
    EXPECT_EQ(machine.playouts(*context, many, options, rng, sums), Status::OverBudget);
    EXPECT_EQ(machine.playouts(*context, {&initial, 1}, options, rng, sums), Status::Ok);
  });
}

TEST(CountedPlayouts, SayWhichMovesWonAndLost) {
  on_every_machine(pick_game(), [](const Machine& machine, auto& context, StateView initial) {
    const MoveCounting counting{.per_start = true, .won_from = 100, .lost_to = 0};
    const PlayoutOptions options{.per_start = 3'001, .counting = &counting};
    const std::vector<StateView> starts(3, initial);
    Rng rng(3);
    PlayoutSums sums;
    ASSERT_EQ(machine.playouts(context, starts, options, rng, sums), Status::Ok);
    ASSERT_EQ(sums.moves.size(), 6U);
    for (std::size_t start = 0; start < 3; ++start) {
      std::uint64_t made = 0, won = 0;
      for (int x = 1; x <= 13; ++x) {
        const MoveId id = move(machine, "( pick " + std::to_string(x) + " )");
        const MoveCount a = count_of(sums, start * 2, id), b = count_of(sums, start * 2 + 1, id);
        EXPECT_EQ(a.won, x >= 9 ? a.made : 0);
        EXPECT_EQ(a.lost, x >= 9 ? 0 : a.made);
        EXPECT_EQ(b.made != 0, x == 1 || x == 4 || x == 12);
        EXPECT_EQ(b.won + b.lost, 0U);
        made += a.made;
        won += a.won;
      }
      EXPECT_EQ(made, options.per_start);
      EXPECT_EQ(won * 100, sums.goals[start * 2]);
    }
  });
}

TEST(CountedPlayouts, TakeOtherGoalsAsWonAndLost) {
  on_every_machine(pick_game(), [](const Machine& machine, auto& context, StateView initial) {
    for (const bool wins : {false, true}) {
      const MoveCounting counting{
          .per_start = false, .won_from = wins ? 50 : 51, .lost_to = wins ? 49 : 50};
      const PlayoutOptions options{.per_start = 100, .counting = &counting};
      Rng rng(3);
      PlayoutSums sums;
      ASSERT_EQ(machine.playouts(context, {&initial, 1}, options, rng, sums), Status::Ok);
      const MoveCount b = count_of(sums, 1, move(machine, "( pick 4 )"));
      EXPECT_GT(b.made, 0U);
      EXPECT_EQ(b.won, wins ? b.made : 0);
      EXPECT_EQ(b.lost, wins ? 0 : b.made);
    }
  });
}

/// Sums of tic_tac_toe, where each mark is made once in a playout, and each role waits in all.
void check_marks(const Machine& machine, const PlayoutSums& sums) {
  const MoveId noop = move(machine, "noop");
  std::uint64_t marks = 0;
  for (std::size_t row = 0; row < sums.moves.size(); ++row) {
    const MoveCount waits = count_of(sums, row, noop);
    EXPECT_EQ(waits.made, sums.playouts[row / 2]);
    EXPECT_EQ(100 * waits.won + 50 * (waits.made - waits.won - waits.lost), sums.goals[row]);
    for (MoveId id = 0; id < sums.moves[row].size(); ++id) {
      const MoveCount& c = sums.moves[row][id];
      EXPECT_LE(c.made, sums.playouts[row / 2]);
      EXPECT_LE(c.won + c.lost, c.made);
      marks += id == noop ? 0 : c.made;
    }
  }
  EXPECT_EQ(marks, sums.steps);
}

TEST(CountedPlayouts, KeepStartsApartOrTakeThemTogether) {
  on_every_machine(tests::bundled_game("tic_tac_toe"), [](const Machine& machine, auto& context,
                                                          StateView initial) {
    const auto [joint, second] = first_step(machine, context, initial);
    const std::vector<StateView> starts{initial, second, initial};
    const MoveId first = joint[0] == move(machine, "noop") ? joint[1] : joint[0];
    const std::size_t mover = first == joint[0] ? 0 : 1;
    for (const bool per_start : {true, false}) {
      const MoveCounting counting{.per_start = per_start};
      const PlayoutOptions options{.per_start = 700, .counting = &counting};
      Rng rng(4);
      PlayoutSums sums;
      ASSERT_EQ(machine.playouts(context, starts, options, rng, sums), Status::Ok);
      ASSERT_EQ(sums.moves.size(), per_start ? 6U : 2U);
      if (per_start) {
        check_marks(machine, sums);
        EXPECT_GT(count_of(sums, mover, first).made, 0U);
        EXPECT_EQ(count_of(sums, 2 + mover, first).made, 0U) << "it is made there already";
        continue;
      }
      PlayoutSums together = sums;
      together.playouts = {2'100};
      together.goals = {0, 0};
      for (std::size_t i = 0; i < sums.goals.size(); ++i) together.goals[i % 2] += sums.goals[i];
      check_marks(machine, together);
    }
  });
}

/// Role b never has a legal move.
constexpr const char* kIdle = R"(
(role a) (role b) (init (s 0)) (legal a go) (legal a run)
(<= (next (s 1)) (does a go)) (<= (next (s 2)) (does a run))
(<= terminal (not (true (s 0))))
(<= (goal a 100) (not (true (s 0)))) (<= (goal a 10) (true (s 0))) (goal b 0))";

TEST(Playouts, EndAtTheStartIfARoleNeverHasALegalMove) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kIdle).rules);
  on_every_machine(vocabulary, [](const Machine& machine, Machine::Context& context, StateView at) {
    const MoveCounting counting;
    const MoveWeights weights{{{1, 2}}};
    for (const PlayoutOptions& options :
         {PlayoutOptions{.per_start = 9}, PlayoutOptions{.per_start = 9, .counting = &counting},
          PlayoutOptions{.per_start = 9, .weights = &weights}}) {
      PlayoutSums out;
      Rng rng(1);
      ASSERT_EQ(machine.playouts(context, {&at, 1}, options, rng, out), Status::Ok);
      EXPECT_EQ(out.playouts, std::vector<std::uint32_t>{9});
      EXPECT_EQ(out.steps, 0);
      EXPECT_EQ(out.cut, 0) << "the cap is never reached";
      EXPECT_EQ(out.goals, (std::vector<std::uint64_t>{90, 0}));
    }
  });
}

}  // namespace
}  // namespace ludens::gdl
