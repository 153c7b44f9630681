// SPDX-License-Identifier: MIT
// What roles perceive (`sees` of GDL-II), on every machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "tests/gdl/machine/network_machines.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

/// A coin under a cup: `random` throws it, a may look, b is told whether a looked, and everybody
/// hears the bell. What lies under the cup is no part of any goal.
constexpr const char* kCup = R"(
(role a) (role b) (role random) (side heads) (side tails) (init (step 1))
(<= (legal random (throw ?s)) (side ?s) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal a look) (true (step 2)))
(<= (legal a noop))
(<= (legal b noop))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (cup ?s)) (does random (throw ?s)))
(<= (next (cup ?s)) (true (cup ?s)))
(<= terminal (true (step 3)))
(<= (goal ?r 50) (role ?r))
(<= (sees a (under cup ?s)) (does a look) (true (cup ?s)))
(<= (sees b looked) (does a look))
(<= (sees ?everybody bell) (true (step 2)))
(<= (sees nobody (under cup ?s)) (true (cup ?s))))";

/// What is perceived is a condition of a legal move and of the next state, too.
constexpr const char* kHint = R"(
(role r) (init (a)) (init (b)) (init (c))
(<= p (true (a)) (true (b)))
(<= (legal r m1) p (true (c))) (legal r m2) (legal r m3)
(<= (next (d)) p (does r m1)) (<= (next (a)) (does r m1)) (<= (next (b)) (does r m1))
(<= (next (c)) (does r m2))
(<= terminal (true (d))) (<= (goal r 100) (true (d))) (<= (goal r 0) (not (true (d))))
(<= (sees r hint) p))";

/// [role], sorted.
using Names = std::vector<std::vector<std::string>>;

class Percepts : public testing::Test {
 protected:
  void SetUp() override {
    vocabulary_ = std::make_shared<Vocabulary>(normalise_text(kCup).rules);
    machines_ = tests::network_machines(vocabulary_);
    ASSERT_EQ(machines_.refused, "");
    machines_.owned.push_back(make_interpreter(vocabulary_));
  }

  static MoveId move(const Machine& machine, const char* name) {
    const auto id = machine.vocabulary()->find_move(name);
    EXPECT_TRUE(id) << name;
    return id.value_or(0);
  }

  /// After tails was thrown.
  static State thrown(const Machine& machine, Machine::Context& context) {
    State initial, after;
    EXPECT_EQ(machine.initial(context, initial), Status::Ok);
    std::vector<MoveId> legal;  // so that the interpreter has given ids
    for (RoleIndex r = 0; r < 3; ++r) {
      EXPECT_EQ(machine.legal(context, initial, r, legal), Status::Ok);
    }
    const MoveId moves[] = {move(machine, "noop"), move(machine, "noop"),
                            move(machine, "( throw tails )")};
    EXPECT_EQ(machine.next(context, initial, moves, after), Status::Ok);
    EXPECT_EQ(machine.legal(context, after, 0, legal), Status::Ok);
    return after;
  }

  static std::vector<std::string> names(const Machine& machine, std::span<const PerceptId> ids) {
    std::vector<std::string> names;
    for (const PerceptId id : ids) names.push_back(machine.vocabulary()->percept_name(id));
    std::ranges::sort(names);
    return names;
  }

  std::shared_ptr<Vocabulary> vocabulary_;
  tests::NetworkMachines machines_;
};

TEST_F(Percepts, AreThoseOfTheStateBeforeAndTheJointMove) {
  for (const auto& machine : machines_.owned) {
    SCOPED_TRACE(machine->name());
    const auto context = machine->make_context();
    const State state = thrown(*machine, *context);
    const MoveId noop = move(*machine, "noop");
    for (const bool looks : {true, false}) {
      const MoveId moves[] = {looks ? move(*machine, "look") : noop, noop, noop};
      std::vector<PerceptId> of[3];
      for (RoleIndex r = 0; r < 3; ++r) {
        ASSERT_EQ(machine->percepts(*context, state, moves, r, of[r]), Status::Ok);
        EXPECT_TRUE(std::ranges::is_sorted(of[r]));
      }
      Names seen;
      for (const auto& ids : of) seen.push_back(names(*machine, ids));
      const Names expected =
          looks ? Names{{"( under cup tails )", "bell"}, {"bell", "looked"}, {"bell"}}
                : Names{{"bell"}, {"bell"}, {"bell"}};
      EXPECT_EQ(seen, expected);
    }
  }
}

/// More pairs than the widest machine has lanes.
TEST_F(Percepts, OfABatchAreThoseOfItsPairs) {
  for (const auto& machine : machines_.owned) {
    SCOPED_TRACE(machine->name());
    const auto context = machine->make_context();
    const State state = thrown(*machine, *context);
    const MoveId noop = move(*machine, "noop");
    const MoveId looking[] = {move(*machine, "look"), noop, noop}, waiting[] = {noop, noop, noop};
    std::vector<StateMove> pairs;
    for (int i = 0; i < 1'100; ++i) pairs.push_back({state, i % 3 == 0 ? looking : waiting});
    gdl::Percepts percepts;
    for (int again = 0; again < 2; ++again) {
      ASSERT_EQ(machine->perceive(*context, pairs, percepts), Status::Ok);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (RoleIndex r = 0; r < 3; ++r) {
          std::vector<PerceptId> single;
          ASSERT_EQ(machine->percepts(*context, state, pairs[i].move, r, single), Status::Ok);
          ASSERT_TRUE(std::ranges::equal(percepts.of(i, r, 3), single)) << i << ", role " << r;
        }
      }
    }
    Expansion expansion;  // shares its memory with the percepts
    ASSERT_EQ(machine->expand(*context, pairs, expansion), Status::Ok);
    EXPECT_EQ(expansion.states.size(), pairs.size());
    EXPECT_TRUE(std::ranges::all_of(expansion.terminal, [](auto t) { return t == 1; }));
  }
}

TEST_F(Percepts, FluentsThatArePerceivedAreKept) {
  const auto heads = vocabulary_->find_fluent("( cup heads )");
  ASSERT_TRUE(heads);
  for (const auto& machine : machines_.owned) EXPECT_TRUE(machine->keeps(*heads));
}

TEST_F(Percepts, OfAllMachinesAgreeInRandomPlayouts) {
  std::vector<const Machine*> others;
  for (const auto& machine : machines_.owned) others.push_back(machine.get());
  Rng rng(7);
  const Agreement agreement = compare_machines(*others.back(), others, {.playouts = 50}, rng);
  EXPECT_EQ(agreement.differences, std::vector<std::string>());
  EXPECT_EQ(agreement.playouts, 50u);
}

TEST(PerceptsOfOneRole, MayBeConditionsOfMovesAndNextStates) {
  const auto vocabulary = std::make_shared<Vocabulary>(normalise_text(kHint).rules);
  const auto machines = tests::network_machines(vocabulary);
  ASSERT_EQ(machines.refused, "");
  Rng rng(7);
  const Agreement agreement =
      compare_machines(*make_interpreter(vocabulary), machines.all, {.playouts = 50}, rng);
  EXPECT_EQ(agreement.differences, std::vector<std::string>());
}

}  // namespace
}  // namespace ludens::gdl
