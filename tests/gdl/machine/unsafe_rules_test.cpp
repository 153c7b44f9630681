// SPDX-License-Identifier: MIT
// What rules mean that leave a variable unbound, on every machine: "there is none" under `not`, and
// whatever it is called with in the head of a plain relation.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::gdl {
namespace {

using MoveNames = std::vector<std::string>;

/// The moves of all roles in the initial state, `ROLE MOVE` each.
MoveNames moves_on(const Machine& machine) {
  const auto context = machine.make_context({});
  State state;
  EXPECT_EQ(machine.initial(*context, state), Status::Ok);
  MoveNames names;
  for (RoleIndex r = 0; r < machine.role_count(); ++r) {
    std::vector<MoveId> moves;
    EXPECT_EQ(machine.legal(*context, state, r, moves), Status::Ok);
    for (const MoveId m : moves) {
      names.push_back(machine.role_name(r) + ' ' + machine.vocabulary()->move_name(m));
    }
  }
  std::ranges::sort(names);
  return names;
}

/// The moves of a game of two roles, on which all machines agree.
MoveNames moves(const std::string& rules) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(
      "(role a) (role b) (<= terminal (true over)) (goal a 50) (goal b 50) (init (step 0))" +
      rules));
  const MoveNames expected = moves_on(*make_interpreter(vocabulary));
  const tests::NetworkMachines machines = tests::network_machines(vocabulary);
  EXPECT_EQ(machines.refused, "") << rules;
  for (const Machine* machine : machines.all) EXPECT_EQ(moves_on(*machine), expected) << rules;
  return expected;
}

/// Whether role a can do `m`, which it can where p holds.
bool holds(const std::string& rules) {
  return !moves("(<= (legal a m) p)" + rules).empty();
}

TEST(LoneNegation, MeansThatThereIsNoneOfAnyForm) {
  EXPECT_FALSE(holds("(q (f 1)) (<= p (not (q ?x)))"));
  EXPECT_TRUE(holds("(q (f 1)) (<= p (not (q (g ?x))))"));
  EXPECT_FALSE(holds("(init (q (f 1))) (<= p (not (true (q ?x))))"));
  EXPECT_FALSE(holds("(init (q (f 1))) (<= p (not (true ?x)))"));
  EXPECT_TRUE(holds("(<= (next (q (f 1))) (does ?r ?m)) (<= p (not (true (q ?x))))"));
  EXPECT_TRUE(holds("(q (f 1)) (r (g 2)) (<= p (not (q (g ?x))) (not (r (f ?x))))"));
  EXPECT_FALSE(holds("(q (f 1)) (r (g 2)) (<= p (not (q ?x)) (not (r (f ?x))))"));
}

TEST(LoneNegation, SharesVariablesWithTheRule) {
  EXPECT_EQ(moves(R"((q 1) (q 2) (q (f 2)) (q (g 2)) (e 1 (f 3)) (e (f 2) (g (f 1))) (e 2 2)
                     (<= (legal a (m ?x)) (q ?x) (not (e ?x ?y))))"),
            (MoveNames{"a ( m ( g 2 ) )"}));
  EXPECT_EQ(moves(R"((q 1) (q 2) (e 1 (f 3) (f 3)) (e 2 (f 3) (f 4)) (e 2 (f 3) 3)
                     (<= (legal a (m ?x)) (q ?x) (not (e ?x ?y ?y))))"),
            (MoveNames{"a ( m 2 )"}));
}

TEST(LoneNegation, MayAskWhetherAnythingIsLegalOrDone) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"(
    (role a) (role b) (init (at (n 0))) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal a (go (n ?y))) (true (at (n ?x))) (succ ?x ?y))
    (<= (legal a stay) (true (at (n ?x))) (distinct ?x 3))
    (<= (legal b ?m) (role ?m)) (<= (legal b (f ?x)) (true (at (n ?x))))
    (<= (next (at ?n)) (does a (go ?n)))
    (<= (next (at ?n)) (true (at ?n)) (not (does a (go ?m))))
    (<= (next quiet) (not (does b (f ?x))))
    (<= terminal (not (legal a ?m)))
    (<= (goal a 100) (true quiet)) (<= (goal a 0) (not (true quiet))) (goal b 50)
  )"));
  const auto interpreter = make_interpreter(vocabulary);
  const tests::NetworkMachines machines = tests::network_machines(vocabulary);
  EXPECT_EQ(machines.refused, "");
  AgreementOptions options;
  options.playouts = 20;
  Rng rng(1);
  EXPECT_EQ(compare_machines(*interpreter, machines.all, options, rng).differences,
            std::vector<std::string>{});
}

TEST(NegatedConjunction, MeansThatNothingHasAll) {
  EXPECT_TRUE(holds("(q 1) (r 2) (<= p (not (and (q ?z) (r ?z))))"));
  EXPECT_FALSE(holds("(q 1) (r 2) (q 2) (<= p (not (and (q ?z) (r ?z))))"));
  EXPECT_FALSE(holds("(q 1) (q 2) (r 1) (<= p (not (and (q ?z) (not (r ?z)))))"));
  EXPECT_TRUE(holds("(q 1) (q 2) (r 1) (r 2) (<= p (not (and (q ?z) (not (r ?z)))))"));
}

TEST(NegatedConjunction, SharesVariablesWithTheRule) {
  EXPECT_EQ(moves(R"((q 1) (q 2) (e 1 0) (e 1 1) (e 1 2) (e 2 1)
                     (<= (legal a (m ?x)) (q ?x) (not (and (e ?x ?z) (true (step ?z))))))"),
            (MoveNames{"a ( m 2 )"}));
}

TEST(NegatedConjunction, MayStandWithinOthers) {
  const std::string facts = "(q 1) (q 2) (r 1) (s 2)";
  EXPECT_TRUE(holds(facts + "(<= p (not (and (q ?z) (not (or (r ?z) (s ?z))))))"));
  EXPECT_FALSE(holds(facts + "(q 3) (<= p (not (and (q ?z) (not (or (r ?z) (s ?z))))))"));
  // Each q has a smaller one that is an r, or is an r itself.
  const std::string nested =
      "(<= p (not (and (q ?z) (not (r ?z)) (not (and (less ?y ?z) (r ?y))))))";
  EXPECT_TRUE(holds(facts + "(less 1 2)" + nested));
  EXPECT_FALSE(holds(facts + "(less 2 1)" + nested));
  EXPECT_TRUE(holds(facts + "(<= p (not (or (and (q ?z) (t ?z)) (and (r ?y) (s ?y)))))"));
  EXPECT_FALSE(holds(facts + "(t 2) (<= p (not (or (and (q ?z) (t ?z)) (and (r ?y) (s ?y)))))"));
  EXPECT_TRUE(holds(facts + "(t 2) (<= p (not (not (and (q ?z) (t ?z)))))"));
  // The variables of two negations have nothing to do with each other.
  EXPECT_FALSE(holds(facts + "flag (<= p (not (and flag (not (q ?z)))) (not (r ?z)))"));
  EXPECT_TRUE(holds("flag (q 1) (<= p (not (and flag (not (q ?z)))) (not (r ?z)))"));
}

TEST(NegatedConjunction, MayCompareItsVariables) {
  // The largest has none above it: there is no other.
  EXPECT_EQ(moves(R"((q 1) (q 2) (above 2 1)
                     (<= (legal a (m ?x)) (q ?x)
                         (not (and (q ?y) (distinct ?x ?y) (above ?y ?x)))))"),
            (MoveNames{"a ( m 2 )"}));
  // Nothing within the negation binds ?x.
  EXPECT_EQ(moves(R"((q 1) (q 2) (r 2)
                     (<= (legal a (m ?x)) (or (q ?x) (r ?x)) (not (and (distinct ?x ?y) (r ?y)))))"),
            (MoveNames{"a ( m 2 )"}));
  EXPECT_EQ(moves("(q a) (r c) (<= (legal ?r m) (not (and (q ?z) (not (r ?z)) (distinct ?r ?z))))"),
            (MoveNames{"a m"}));
}

TEST(NegatedConjunction, IsKeptWholeInEveryRule) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(R"(
    (role a) (legal a m) (q 1) (r 2) (init (step 0)) (<= (next (step 1)) (true (step 0)))
    (<= (next lonely) (not (and (q ?z) (r ?z))))
    (<= (next paired) (not (and (q ?z) (not (r ?z)))))
    (<= terminal (true (step 1)) (not (and (q ?z) (r ?z))))
    (<= (goal a 70) (not (and (q ?z) (r ?z)))) (<= (goal a 30) (not (and (q ?z) (not (r ?z)))))
  )"));
  const auto machine = make_interpreter(vocabulary);
  const auto context = machine->make_context({});
  State state, after;
  ASSERT_EQ(machine->initial(*context, state), Status::Ok);
  std::vector<MoveId> moves;
  ASSERT_EQ(machine->legal(*context, state, 0, moves), Status::Ok);
  ASSERT_EQ(machine->next(*context, state, moves, after), Status::Ok);
  EXPECT_EQ(machine->print(*context, after), "( ( step 1 ) lonely )");
  bool ended = false;
  ASSERT_EQ(machine->terminal(*context, after, ended), Status::Ok);
  EXPECT_TRUE(ended);
  std::vector<int> goals(1);
  ASSERT_EQ(machine->goals(*context, after, goals), Status::Ok);
  EXPECT_EQ(goals, std::vector<int>{70});
}

TEST(OpenRelation, HoldsWhereItIsCalledWithAValue) {
  EXPECT_EQ(moves(R"((init (at 1)) (adj ?x ?x) (adj 1 2) (adj 2 3)
                     (<= (legal a (move ?x ?y)) (true (at ?x)) (adj ?x ?y)))"),
            (MoveNames{"a ( move 1 1 )", "a ( move 1 2 )"}));
  EXPECT_EQ(moves(R"((init (at 1)) (blocked 3) (exit 1) (adj 1 4)
                     (<= (adj ?x ?y) (not (blocked ?y)) (exit ?x)) (place 2) (place 3)
                     (<= (legal a (move ?y)) (true (at ?x)) (place ?y) (adj ?x ?y)))"),
            (MoveNames{"a ( move 2 )"}));
  // What leaves the move open is left out, and nothing else.
  EXPECT_EQ(moves("(<= (any ?x) (true (step 0))) (any 7) (<= (legal a (m ?x)) (any ?x))"),
            (MoveNames{"a ( m 7 )"}));
}

TEST(OpenRelation, HoldsOrNot) {
  const std::string any = "(<= (legal a yes) (any ?x)) (<= (legal b no) (not (any ?x)))";
  EXPECT_EQ(moves("(<= (any ?x) (true (step 0)))" + any), (MoveNames{"a yes"}));
  EXPECT_EQ(moves("(<= (any ?x) (true (step 1)))" + any), (MoveNames{"b no"}));
  EXPECT_EQ(moves("(<= (any ?x) (true (step 1))) (any 3)" + any), (MoveNames{"a yes"}));
}

TEST(OpenRelation, MayBeNegated) {
  const std::string same = "(same ?x ?x) (same 1 2) (q 1) (q 2) (q 3)";
  EXPECT_EQ(moves(same + "(<= (legal a (m ?x ?y)) (q ?x) (q ?y) (not (same ?x ?y)))"),
            (MoveNames{"a ( m 1 3 )", "a ( m 2 1 )", "a ( m 2 3 )", "a ( m 3 1 )", "a ( m 3 2 )"}));
  EXPECT_EQ(moves(same + "(<= (legal a (m ?x)) (q ?x) (not (same ?x ?y)))"), MoveNames{});
  // By way of another open relation, and for a role that nothing else binds.
  EXPECT_EQ(moves(same + "(<= (other ?x ?y) (not (same ?x ?y)))"
                         "(<= (legal a (m ?x ?y)) (q ?x) (q ?y) (not (other ?x ?y)))"),
            (MoveNames{"a ( m 1 1 )", "a ( m 1 2 )", "a ( m 2 2 )", "a ( m 3 3 )"}));
  EXPECT_EQ(moves("(is ?x ?x) (<= (legal ?r m) (not (is ?r b)))"), (MoveNames{"a m"}));
}

TEST(OpenDeclaration, IsLeftOut) {
  EXPECT_EQ(moves(R"((init q) (<= (next q) (true q)) (legal a noop)
                     (<= (legal ?r ?m) (input ?r ?m) (true q))
                     (input a k) (<= (input b (go ?z)) (succ ?x ?y)) (succ 0 1))"),
            (MoveNames{"a k", "a noop"}));
}

/// A step along each file, whichever is asked for, and paths of one or more.
constexpr const char* kPaths = R"((role a) (init (at b 1)) (init (moves 0))
  (<= terminal (true (moves 1))) (goal a 50) (next (moves 1))
  (step ?f 1 ?f 2 north) (step ?f 2 ?f 3 north) (step ?f 3 ?f 4 north)
  (<= (path ?a ?b ?c ?d ?way) (step ?a ?b ?c ?d ?way))
  (<= (path ?a ?b ?c ?d ?way) (step ?a ?b ?m ?n ?way) (path ?m ?n ?c ?d ?way)))";

MoveNames path_moves(const std::string& rules) {
  return moves_on(*make_interpreter(std::make_shared<Vocabulary>(tests::rules_of(kPaths + rules))));
}

TEST(OpenRecursion, IsAskedWithWhatIsKnown) {
  EXPECT_EQ(path_moves("(<= (legal a (go ?c ?d)) (true (at ?a ?b)) (path ?a ?b ?c ?d ?way))"),
            (MoveNames{"a ( go b 2 )", "a ( go b 3 )", "a ( go b 4 )"}));
  EXPECT_EQ(path_moves("(<= (legal a (go ?c ?d)) (path ?a ?b ?c ?d ?way) (true (at ?a ?b)))"),
            (MoveNames{"a ( go b 2 )", "a ( go b 3 )", "a ( go b 4 )"}))
      << "in any order";
  EXPECT_EQ(path_moves("(<= (legal a (from ?b)) (true (at ?c ?e)) (path ?a ?b ?c 4 north))"),
            (MoveNames{"a ( from 1 )", "a ( from 2 )", "a ( from 3 )"}))
      << "from the other end";
  EXPECT_EQ(path_moves("(file b) (file c) (<= (legal a (no ?c)) (file ?c) (true (at ?a ?b))"
                       "(not (path ?a ?b ?c 4 ?way)))"),
            (MoveNames{"a ( no c )"}));
}

/// By way of other relations, and where each of two calls gives the other what it needs.
TEST(OpenRecursion, IsAskedThroughOthers) {
  EXPECT_EQ(path_moves("(<= (far ?a ?b ?c ?d) (path ?a ?b ?c ?d ?w) (distinct ?d 2))"
                       "(<= (legal a (go ?c ?d)) (far ?a ?b ?c ?d) (true (at ?a ?b)))"),
            (MoveNames{"a ( go b 3 )", "a ( go b 4 )"}));
  EXPECT_EQ(path_moves("(<= (legal a (go ?c ?d)) (path ?e 2 ?c ?d ?w) (path ?a 1 ?e 2 ?w)"
                       "(true (at ?a ?b)))"),
            (MoveNames{"a ( go b 3 )", "a ( go b 4 )"}));
}

/// Why networks refuse a game of role a, which has four moves.
std::string refusal(const std::string& rules) {
  return tests::network_machines(std::make_shared<Vocabulary>(tests::rules_of(
                                     "(role a) (init (n 0)) (<= (next (n 1)) (true (n 0)))"
                                     "(legal a m1) (legal a m2) (legal a m3)" +
                                     rules)))
      .refused;
}

// Any move of a role is made in each step, and none before the first: a rule for both says nothing.
TEST(MovesMade, AreNotKnownToTheEndAndToGoals) {
  const std::string end = "(<= terminal (true (n 1))) (legal a m4)";
  EXPECT_EQ(refusal(end + "(goal a 10)"), "");
  EXPECT_EQ(refusal(end + "(<= done (does a ?m)) (<= (goal a 100) done)"),
            "goal/2 depends on the moves made");
  EXPECT_EQ(refusal(end + "(<= (goal a 0) (not (does a m1)) (not (does a m2)) (not (does a m3))"
                          "(not (does a m4)))"),
            "goal/2 depends on the moves made");
  EXPECT_EQ(refusal("(legal a m4) (goal a 10) (<= terminal (does ?r ?m))"),
            "terminal/0 depends on the moves made");
  EXPECT_EQ(refusal("(<= (legal a m4) (does a ?m)) (goal a 10) (<= terminal (true (n 1)))"),
            "legal/2 depends on the moves made");
  // By name alone: b is no role, and makes no move.
  EXPECT_EQ(refusal(end + "(<= (p 1) (does a ?m)) (p 2) (<= (goal a 100) (p 2))"
                          "(legal b m1) (<= (goal a 10) (not (does b m1)))"),
            "");
}

}  // namespace
}  // namespace ludens::gdl
