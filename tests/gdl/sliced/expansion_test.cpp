// SPDX-License-Identifier: MIT
// Batched expansion against the single calls: states of one word and of many, few moves and many,
// batches smaller and larger than a register, playouts in between, roles in turn and not.
#include <gtest/gtest.h>

#include <algorithm>

#include "gdl/rules/read.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::gdl {
namespace {

/// Pairs of random playouts, one after the other; a role's move is now and then one that it has not
/// got.
class Questions {
 public:
  Questions(const Machine& machine, std::size_t count)
      : context_(machine.make_context()), joint_(machine.role_count()) {
    bool over = true;
    State now, after;
    while (states_.size() < count) {
      if (over) (void)machine.initial(*context_, now);
      (void)machine.terminal(*context_, now, over);
      for (RoleIndex r = 0; r < joint_.size() && !over; ++r) over = !choose(machine, now, r);
      if (over) continue;
      states_.push_back(now);
      moves_.insert(moves_.end(), joint_.begin(), joint_.end());
      (void)machine.next(*context_, now, joint_, after);
      std::swap(now, after);
    }
    for (std::size_t i = 0; i < count; ++i) {
      pairs.push_back({states_[i], std::span(moves_).subspan(i * joint_.size(), joint_.size())});
    }
    for (std::size_t i = 0; i < moves_.size(); i += 97) moves_[i] = 1'000'000;
  }

  std::vector<StateMove> pairs;

 private:
  bool choose(const Machine& machine, StateView now, RoleIndex role) {
    (void)machine.legal(*context_, now, role, legal_);
    if (legal_.empty()) return false;
    joint_[role] = legal_[rng_.below(static_cast<std::uint32_t>(legal_.size()))];
    return true;
  }

  std::unique_ptr<Machine::Context> context_;
  Rng rng_{5};
  StateBatch states_;
  std::vector<MoveId> joint_, moves_, legal_;
};

void expect_equal(const Expansion& a, const Expansion& b, std::size_t roles) {
  ASSERT_EQ(a.states.size(), b.states.size());
  EXPECT_EQ(a.terminal, b.terminal);
  EXPECT_EQ(a.goals, b.goals);
  EXPECT_EQ(a.begin, b.begin);
  for (std::size_t i = 0; i < a.states.size(); ++i) {
    ASSERT_TRUE(a.states[i] == b.states[i]) << i;
    for (RoleIndex r = 0; r < roles; ++r) {
      ASSERT_TRUE(std::ranges::equal(a.legal(i, r, roles), b.legal(i, r, roles))) << i;
    }
  }
}

void expect_that_batches_agree(const std::shared_ptr<Vocabulary>& game) {
  const auto machines = gdl::tests::network_machines(game);
  ASSERT_FALSE(machines.all.empty()) << machines.refused;
  const Questions questions(*machines.all.front(), 700);
  for (const Machine* machine : machines.all) {
    const auto context = machine->make_context();
    Expansion given, expected;
    for (const std::size_t count : {700, 1, 2, 63, 513}) {
      const auto pairs = std::span(questions.pairs).first(count);
      ASSERT_EQ(machine->Machine::expand(*context, pairs, expected), Status::Ok);
      ASSERT_EQ(machine->expand(*context, pairs, given), Status::Ok);
      expect_equal(given, expected, machine->role_count());
      PlayoutSums sums;
      Rng rng(7);
      const std::vector<StateView> starts(3, pairs.front().state);
      ASSERT_EQ(machine->playouts(*context, starts, {}, rng, sums), Status::Ok);
    }
  }
}

/// With `(number 1)` to `(number N)` after the rules.
std::shared_ptr<Vocabulary> numbered_game(int numbers, std::string rules) {
  for (int n = 1; n <= numbers; ++n) rules += "(number " + std::to_string(n) + ")";
  return std::make_shared<Vocabulary>(read_rules(std::move(rules)).normalised.rules);
}

class BatchedExpansion : public testing::TestWithParam<const char*> {};

TEST_P(BatchedExpansion, SaysWhatSingleCallsSay) {
  expect_that_batches_agree(gdl::tests::bundled_game(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Games, BatchedExpansion,
                         testing::Values("nim", "connect_four", "bidding_tic_tac_toe",
                                         "breakthrough", "three_player", "tron", "checkers"),
                         [](const auto& game) { return std::string(game.param); });

// One waits while the other moves, except that now and then both move.
TEST(Expansion, ListsRolesThatDoNotAlwaysTakeTurns) {
  expect_that_batches_agree(numbered_game(99, R"(
    (role a) (role b) (other a b) (other b a) (low 1) (low 2) (low 3) (low 4)
    (init (control a))
    (<= (legal ?r wait) (other ?r ?s) (true (control ?s)))
    (<= (legal ?r (go ?r ?n)) (true (control ?r)) (number ?n) (not (true (used ?n))))
    (<= (legal ?r (go ?r ?n)) (role ?r) (true both) (number ?n) (not (true (used ?n))))
    (<= (next (used ?n)) (does ?r (go ?r ?n)))
    (<= (next (used ?n)) (true (used ?n)))
    (<= (next both) (does b (go b ?n)) (low ?n))
    (<= (next (control a)) (does b (go b ?n)) (not (low ?n)))
    (<= (next (control b)) (true (control a)))
    (<= terminal (true (used 7)))
    (goal a 100) (goal b 0))"));
}

// More blocks of moves than there are bits to see them by; each state has moves in one or two.
TEST(Expansion, ListsFewOfVeryManyMoves) {
  expect_that_batches_agree(numbered_game(70, R"(
    (role a) (init (row 1))
    (<= (legal a (go ?x ?y)) (true (row ?x)) (number ?y))
    (<= (next (row ?y)) (does a (go ?x ?y)))
    (<= terminal (true (row 7)))
    (goal a 100))"));
}

}  // namespace
}  // namespace ludens::gdl
