// SPDX-License-Identifier: MIT
#include "gdl/policy/policy_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gdl/machine/agreement.h"
#include "gdl/network/turns.h"
#include "gdl/policy/win_share.h"
#include "gdl/sliced/machine_network.h"
#include "tests/gdl/policy/games.h"

namespace ludens::gdl {
namespace {

/// The effect of a policy in tic-tac-toe, computed from its definition by trying all moves.
class Expectation {
 public:
  using Shares = std::array<double, 3>;  // x gets 0, 50, 100

  Expectation(const Machine& machine, PlayoutPolicy policy)
      : machine_(machine),
        policy_(policy),
        context_(machine.make_context()),
        turns_(find_turns(machine.network()->game()->network)) {}

  Shares of(const State& state) {
    const auto words = StateView(state).words();
    std::vector<std::uint64_t> key(words.begin(), words.end());
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Shares result{};
    if (is_over(state)) {
      result[static_cast<std::size_t>(goal(state, 0) / 50)] = 1;
    } else {
      const auto [role, moves] = choices(state);
      const std::vector<double> weight = weights(state, role, moves);
      for (std::size_t m = 0; m < moves.size(); ++m) {
        if (weight[m] == 0) continue;
        const Shares after = of(next(state, role, moves[m]));
        for (std::size_t i = 0; i < 3; ++i) result[i] += weight[m] * after[i];
      }
    }
    return known_[key] = result;
  }

  State random_state(int plies, Rng& rng) {
    State state;
    EXPECT_EQ(machine_.initial(*context_, state), Status::Ok);
    for (int ply = 0; ply < plies; ++ply) {
      const auto [role, moves] = choices(state);
      const State after =
          next(state, role, moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      if (is_over(after)) break;
      state = after;
    }
    return state;
  }

 private:
  struct Choices {
    RoleIndex role;
    std::vector<MoveId> moves;
  };

  Choices choices(StateView state) {
    const bool first = std::ranges::all_of(turns_[0], [&](const auto& f) {
      return (state.words()[f.first / 64] >> (f.first % 64) & 1) == f.second;
    });
    Choices choices{first ? RoleIndex{0} : RoleIndex{1}, {}};
    EXPECT_EQ(machine_.legal(*context_, state, choices.role, choices.moves), Status::Ok);
    return choices;
  }
  State next(StateView state, RoleIndex role, MoveId move) {
    std::vector<MoveId> waiting;
    EXPECT_EQ(machine_.legal(*context_, state, 1 - role, waiting), Status::Ok);
    std::vector<MoveId> joint{move, move};
    joint[1 - role] = waiting.at(0);
    State after;
    EXPECT_EQ(machine_.next(*context_, state, joint, after), Status::Ok);
    return after;
  }
  bool is_over(StateView state) {
    bool over = false;
    EXPECT_EQ(machine_.terminal(*context_, state, over), Status::Ok);
    return over;
  }
  int goal(StateView state, RoleIndex role) {
    std::array<int, 2> goals{};
    EXPECT_EQ(machine_.goals(*context_, state, goals), Status::Ok);
    return goals[role];
  }
  bool wins(StateView state, RoleIndex role, MoveId move) {
    const State after = next(state, role, move);
    return is_over(after) && goal(after, role) == 100;
  }
  bool can_win(StateView state) {
    const auto [role, moves] = choices(state);
    return std::ranges::any_of(moves, [&, by = role](MoveId m) { return wins(state, by, m); });
  }
  bool would_win(StateView state, RoleIndex other, MoveId move) {
    State flipped(state);
    for (const auto& [fluent, value] : turns_[0]) {
      flipped.words()[fluent / 64] ^= std::uint64_t{1} << (fluent % 64);
    }
    return wins(flipped, other, move);
  }

  // The probability of each move.
  std::vector<double> weights(StateView state, RoleIndex role, const std::vector<MoveId>& moves) {
    const auto among = [&](auto wanted) {
      std::vector<double> weight;
      for (const MoveId m : moves) weight.push_back(wanted(m) ? 1 : 0);
      double sum = 0;
      for (const double w : weight) sum += w;
      if (sum == 0) {
        weight.assign(moves.size(), 1);
        sum = static_cast<double>(moves.size());
      }
      for (double& w : weight) w /= sum;
      return weight;
    };
    const auto any = among([](MoveId) { return true; });
    if (policy_ == PlayoutPolicy::Uniform) return any;
    if (can_win(state)) return among([&](MoveId m) { return wins(state, role, m); });
    if (policy_ == PlayoutPolicy::Decisive) return any;
    if (policy_ == PlayoutPolicy::Avoid) {
      return among([&](MoveId m) {
        const State after = next(state, role, m);
        return is_over(after) || !can_win(after);
      });
    }
    auto weight = among([&](MoveId m) { return would_win(state, 1 - role, m); });
    if (policy_ == PlayoutPolicy::Block) return weight;
    for (std::size_t m = 0; m < moves.size(); ++m) weight[m] = (weight[m] + any[m]) / 2;
    return weight;
  }

  const Machine& machine_;
  PlayoutPolicy policy_;
  std::unique_ptr<Machine::Context> context_;
  std::vector<Turn> turns_;
  std::map<std::vector<std::uint64_t>, Shares> known_;
};

class PolicyOn : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    machine_ = machine_of_text(rulesheet_text("bundled:tic_tac_toe"), GetParam());
    if (machine_ == nullptr) GTEST_SKIP() << "this processor does not have " << GetParam();
  }
  std::shared_ptr<const Machine> machine_;
};

TEST_P(PolicyOn, ChoosesAsItIsDefined) {
  constexpr std::size_t kPlayouts = 3'000;
  Rng rng(11);
  for (const PolicyInfo& info : kPlayoutPolicies) {
    const PolicyMachine made = PolicyWorkshop(machine_).make(info.policy);
    ASSERT_NE(made.machine, nullptr) << made.reason;
    const auto context = made.machine->make_context();
    Expectation expectation(*machine_, info.policy);
    double chi = 0, freedom = 0;
    for (int i = 0; i < 30; ++i) {
      const State start = expectation.random_state(1 + i % 5, rng);
      const auto expected = expectation.of(start);
      const std::vector<StateView> starts(kPlayouts, start);
      PlayoutSums sums;
      ASSERT_EQ(made.machine->playouts(*context, starts, {}, rng, sums), Status::Ok);
      std::array<double, 3> seen{};
      for (std::size_t p = 0; p < kPlayouts; ++p) ++seen[sums.goals[p * 2] / 50];
      for (std::size_t g = 0; g < 3; ++g) {
        const double mean = expected[g] * kPlayouts;
        if (mean == 0) {
          EXPECT_EQ(seen[g], 0) << info.name;
        } else {
          chi += (seen[g] - mean) * (seen[g] - mean) / mean;
        }
      }
      freedom += static_cast<double>(3 - std::ranges::count(expected, 0.0)) - 1;
    }
    EXPECT_LT(chi, freedom + 5 * std::sqrt(2 * freedom)) << info.name;
  }
}

TEST_P(PolicyOn, LeavesTheRulesAsTheyAre) {
  std::vector<PolicyMachine> made;
  std::vector<const Machine*> machines;
  PolicyWorkshop workshop(machine_);
  for (const PolicyInfo& info : kPlayoutPolicies) {
    made.push_back(workshop.make(info.policy));
    machines.push_back(made.back().machine.get());
  }
  Rng rng(3);
  AgreementOptions options;
  options.playouts = 20;
  const auto interpreter = make_machine("interpreter", machine_->vocabulary()).value();
  EXPECT_EQ(compare_machines(*interpreter, machines, options, rng).differences,
            std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Machines, PolicyOn,
                         testing::Values("sliced:64", "sliced:128", "sliced:256",
                                         "sliced:256:interpreted", "sliced:interpreted",
                                         "sliced:generated", "sliced:sets"),
                         [](const auto& machine) { return test_name(machine.param); });

PolicyMachine make(const std::string& game, PlayoutPolicy policy) {
  return PolicyWorkshop(machine_of_text(rulesheet_text(game), "sliced")).make(policy);
}

TEST(Policies, AreRefusedWithAReason) {
  EXPECT_EQ(make("bundled:pig", PlayoutPolicy::Block).reason,
            "no move is a winning move of the other role, too");
  EXPECT_EQ(make("bundled:breakthrough_small", PlayoutPolicy::Block).reason,
            "no move is a winning move of the other role, too");
  EXPECT_EQ(make("bundled:chess", PlayoutPolicy::Decisive).machine, nullptr);
  const auto scalar = machine_of_text(rulesheet_text("bundled:tic_tac_toe"), "scalar");
  EXPECT_EQ(PolicyWorkshop(scalar).make(PlayoutPolicy::Decisive).reason,
            "the machine plays one state at a time");
}

/// Who holds a cell that is not linked with the first may be robbed of it.
TEST(Policies, AreRefusedWhereRulesDependOnEachOtherInCycles) {
  const auto machine = machine_of_text(R"(
    (role a) (role b) (init (turn a)) (cell 1) (cell 2) (cell 3) (cell 4)
    (link 1 2) (link 1 3) (link 2 3) (link 2 4) (link 3 4)
    (<= (adj ?x ?y) (link ?x ?y))
    (<= (adj ?x ?y) (link ?y ?x))
    (<= (held 1) (true (mark 1)))
    (<= (held ?y) (held ?x) (adj ?x ?y) (true (mark ?y)))
    (<= (legal a (mark ?c)) (true (turn a)) (cell ?c) (not (true (mark ?c))))
    (<= (legal b (rob ?c)) (true (turn b)) (true (mark ?c)) (not (held ?c)))
    (<= (legal b pass) (true (turn b)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn a)) (true (turn b)))
    (<= (next (turn b)) (true (turn a)))
    (<= (next (mark ?c)) (true (mark ?c)))
    (<= (next (mark ?c)) (does a (mark ?c)))
    (<= (next robbed) (does b (rob ?c)))
    (<= full (true (mark 1)) (true (mark 2)) (true (mark 3)) (true (mark 4)))
    (<= terminal (true robbed))
    (<= terminal full)
    (<= (goal a 100) (not (true robbed)))
    (<= (goal a 0) (true robbed))
    (<= (goal b 100) (true robbed))
    (<= (goal b 0) (not (true robbed))))",
                                       "sliced");
  ASSERT_FALSE(machine->network()->game()->network.feedbacks.empty());
  PolicyWorkshop workshop(machine);
  for (const PlayoutPolicy policy : {PlayoutPolicy::Decisive, PlayoutPolicy::Avoid}) {
    EXPECT_EQ(workshop.make(policy).reason, "its rules depend on each other in cycles");
  }
}

/// Chance wins by a six. The player wins if it then names what was rolled.
constexpr const char* kRollAndName = R"(
    (role a) (role random) (init (turn random))
    (face 1) (face 2) (face 3) (face 4) (face 5) (face 6)
    (<= (legal random (roll ?x)) (true (turn random)) (face ?x))
    (<= (legal a (name ?x)) (true (turn a)) (face ?x))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn a)) (true (turn random)))
    (<= (next (rolled ?x)) (does random (roll ?x)))
    (<= (next hit) (does a (name ?x)) (true (rolled ?x)))
    (<= (next over) (does a (name ?x)))
    (<= (next over) (does random (roll 6)))
    (<= terminal (true over))
    (<= (goal a 100) (true hit))
    (<= (goal a 0) (not (true hit)))
    (<= (goal random 0) (true hit))
    (<= (goal random 100) (not (true hit))))";

TEST(Policies, LeaveChanceAlone) {
  constexpr std::size_t kPlayouts = 20'000;
  PolicyWorkshop workshop(machine_of_text(kRollAndName, "sliced"));
  const PolicyMachine made = workshop.make(PlayoutPolicy::Decisive);
  ASSERT_NE(made.machine, nullptr) << made.reason;
  const auto context = made.machine->make_context();
  State start;
  ASSERT_EQ(made.machine->initial(*context, start), Status::Ok);
  PlayoutSums sums;
  Rng rng(5);
  ASSERT_EQ(
      made.machine->playouts(*context, std::vector<StateView>(kPlayouts, start), {}, rng, sums),
      Status::Ok);
  double total = 0;
  for (std::size_t p = 0; p < kPlayouts; ++p) total += static_cast<double>(sums.goals[p * 2]);
  EXPECT_NEAR(total / kPlayouts, 100.0 * 5 / 6, 2);
  EXPECT_EQ(workshop.make(PlayoutPolicy::Avoid).reason, "there are not two roles that choose");
  EXPECT_EQ(make("bundled:blackjack", PlayoutPolicy::Avoid).reason,
            "there are not two roles that choose");
}

class StopAtOnce final : public StopSignal {
  [[nodiscard]] bool stop_requested() const noexcept override { return true; }
};

TEST(Policies, CanBeStoppedWhileTheyAreMade) {
  const StopAtOnce stop;
  PolicyWorkshop workshop(machine_of_text(rulesheet_text("bundled:connect_four"), "sliced"));
  EXPECT_EQ(workshop.make(PlayoutPolicy::Block, {&stop, nullptr}).machine, nullptr);
  EXPECT_NE(workshop.make(PlayoutPolicy::Block).machine, nullptr);
}

// A game with two turns a role: a stone is placed, then a quarter is turned.
TEST(Policies, KnowTurnsWithPhases) {
  const std::string text = rulesheet_text("public:pentago");
  if (text.empty()) GTEST_SKIP() << "no rulesheet pentago beside the project";
  PolicyWorkshop workshop(machine_of_text(text, "sliced"));
  for (const PolicyInfo& info : kPlayoutPolicies) {
    EXPECT_NE(workshop.make(info.policy).machine, nullptr) << info.name;
  }
}

WinShare measure(const std::string& rulesheet, const char* machine_name) {
  const auto machine = machine_of_text(rulesheet, machine_name);
  const auto context = machine->make_context();
  State initial;
  EXPECT_EQ(machine->initial(*context, initial), Status::Ok);
  Rng rng(1);
  return measure_win_share(*machine, *context, initial, 20'000, rng);
}

TEST(WinShare, IsWhatIsKnownOfTicTacToe) {
  for (const char* name : {"interpreter", "sliced"}) {
    const WinShare share = measure(rulesheet_text("bundled:tic_tac_toe"), name);
    EXPECT_NEAR(share.share(), 0.24, 0.03) << name;
    EXPECT_EQ(share.may_keep, 0U) << name;
  }
}

// A wall that fills the board keeps no turn, and nothing is passed where one cell is left.
TEST(WinShare, CountsWhereTheTurnMayBeKept) {
  EXPECT_GT(measure(marks_and_walls(true), "interpreter").keeping_share(), 0.5);
  EXPECT_LT(measure(marks_and_walls(true), "interpreter").keeping_share(), 1);
  EXPECT_EQ(measure(marks_and_walls(false), "interpreter").may_keep, 0U);
}

// Where roles move at once, no one has the turn.
TEST(WinShare, KnowsNoTurnWhereRolesMoveAtOnce) {
  EXPECT_EQ(measure(rulesheet_text("bundled:rock_paper_scissors"), "interpreter").may_keep, 0U);
}

TEST(PolicyNames, AreFoundByNameAndLetter) {
  EXPECT_EQ(find_policy("block"), PlayoutPolicy::Block);
  EXPECT_EQ(find_policy("L"), PlayoutPolicy::Avoid);
  EXPECT_EQ(find_policy("greedy"), std::nullopt);
  EXPECT_EQ(to_string(PlayoutPolicy::HalfBlock), "halfblock");
}

}  // namespace
}  // namespace ludens::gdl
