// SPDX-License-Identifier: MIT
// The game logic of a match: which rules are refused, which reported moves are believed, and what
// is made of those that can't be.
#include "agent/runtime/referee.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/agent/machine_doubles.h"

namespace ludens::agent {
namespace {

using gdl::Status;
using testing::HasSubstr;
using testing::StartsWith;

/// Roles in turn, three moves in all.
constexpr const char* kTurns = R"((
  (role a) (role b) (dir left) (dir right) (init (turn a)) (init (left 3))
  (after a b) (after b a) (less 3 2) (less 2 1) (less 1 0)
  (<= (legal ?r (go ?d)) (true (turn ?r)) (dir ?d))
  (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
  (<= (next (turn ?o)) (true (turn ?r)) (after ?r ?o))
  (<= (next (left ?n)) (true (left ?m)) (less ?m ?n))
  (<= (next (last ?d)) (does ?r (go ?d)))
  (<= terminal (true (left 0)))
  (<= (goal a 100) (true (last left))) (<= (goal a 0) (not (true (last left))))
  (goal b 50)))";

class RefereeTest : public testing::Test {
 protected:
  Referee referee() {
    return Referee(interrupt, MatchMemory(std::size_t{64} << 20),
                   [faults = faults](std::shared_ptr<gdl::Vocabulary> names, const gdl::Limits&) {
                     return make_faulty_machine(std::move(names), faults);
                   });
  }
  /// What keeps the rules from being played.
  std::string refusal(const std::string& rules, std::string_view role = "a") {
    return referee().prepare(part_of(rules), role).value_or("none");
  }
  static std::string move_of(const Referee& of, gdl::MoveId move) {
    return of.machine()->vocabulary()->move_name(move);
  }
  static std::vector<std::string> history(const Referee& of) {
    std::vector<std::string> names;
    for (const gdl::MoveId move : of.position().history) names.push_back(move_of(of, move));
    return names;
  }
  static std::vector<std::string> legal(Referee& of) {
    std::vector<gdl::MoveId> moves;
    EXPECT_EQ(of.own_legal(moves), Status::Ok);
    std::vector<std::string> names;
    for (const gdl::MoveId move : moves) names.push_back(move_of(of, move));
    return names;
  }
  static gdl::MoveId id_of(const Referee& of, const std::string& name) {
    return of.machine()->vocabulary()->find_move(name).value();
  }

  Interrupt interrupt;
  std::shared_ptr<Faults> faults = std::make_shared<Faults>();
};

using Kind = Adoption::Kind;
using Names = std::vector<std::string>;

TEST_F(RefereeTest, SaysWhyRulesAreNotPlayed) {
  EXPECT_EQ(refusal(kTurns), "none");
  EXPECT_EQ(refusal(kTurns, "B"), "none") << "letter case means nothing";
  EXPECT_EQ(refusal(kTurns, "c"), "the rules have no role 'c'");
  EXPECT_EQ(refusal("rules"), "the description is not a list of rules");
  EXPECT_EQ(refusal("((init x))"), "the rules have no roles");
  EXPECT_EQ(refusal("((role a) (<= (next x) (true x)))"), "the rules make no move legal");
  EXPECT_EQ(refusal("((role a) (init s) (legal a x) (<= (next (at ?x)) (true s)))"),
            "a rule for 'next' (line 1) has a variable that nothing binds");
  EXPECT_EQ(refusal("((role a) (legal a x))"), "none") << "the next state is empty";
  EXPECT_EQ(refusal("((role a) (<= (legal a x) (true x)) (<= (next x) (true x)))"),
            "no role has a legal move in the initial state");
}

TEST_F(RefereeTest, FollowsTheMovesOfTheHost) {
  Referee match = referee();
  ASSERT_EQ(match.prepare(part_of(kTurns), "b"), std::nullopt);
  EXPECT_EQ(match.adopt(part_of("nil"), std::nullopt).kind, Kind::NoMoves);
  EXPECT_EQ(legal(match), Names{"noop"});
  const Adoption adoption = match.adopt(part_of("((GO left) noop)"), std::nullopt);
  EXPECT_EQ(adoption.kind, Kind::Adopted);
  ASSERT_TRUE(adoption.own);
  EXPECT_EQ(move_of(match, *adoption.own), "noop");
  EXPECT_EQ(history(match).size(), 2U);
  EXPECT_EQ(legal(match).size(), 2U);
  EXPECT_EQ(match.adopt(part_of("(noop (go left))"), std::nullopt).kind, Kind::Adopted);
  EXPECT_EQ(match.adopt(part_of("((go left) noop)"), std::nullopt).kind, Kind::Adopted);
  bool over = false;
  EXPECT_EQ(match.terminal(over), Status::Ok);
  EXPECT_TRUE(over);
  std::vector<int> goals;
  EXPECT_EQ(match.goals(goals), Status::Ok);
  EXPECT_EQ(goals, (std::vector<int>{100, 50}));
}

TEST_F(RefereeTest, LeavesTheStateWhereItIsAfterMovesThatCannotBe) {
  Referee match = referee();
  ASSERT_EQ(match.prepare(part_of(kTurns), "a"), std::nullopt);
  const auto problem = [&](const std::string& moves) {
    EXPECT_EQ(match.is_legal(part_of(moves)), false) << moves;
    const Adoption adoption = match.adopt(part_of(moves), std::nullopt);
    EXPECT_EQ(adoption.kind, Kind::Illegal) << moves;
    EXPECT_EQ(history(match), Names{}) << moves;
    return adoption.problem;
  };
  EXPECT_EQ(problem("(noop)"), "1 moves for 2 roles");
  EXPECT_THAT(problem("((fly high) noop)"), StartsWith("not a move of this game: "));
  EXPECT_THAT(problem("((go left) (go left))"), HasSubstr("b can't make the move"));
  EXPECT_EQ(match.is_legal(part_of("((go left) noop)")), true);
}

TEST_F(RefereeTest, GuessesATurnThatWasMissedByTheAnswerThatWasSent) {
  for (const char* sent : {"( go left )", "( go right )"}) {
    Referee match = referee();
    ASSERT_EQ(match.prepare(part_of(kTurns), "a"), std::nullopt);
    const Adoption adoption = match.adopt(part_of("(noop (go left))"), id_of(match, sent));
    EXPECT_EQ(adoption.kind, Kind::Recovered);
    EXPECT_THAT(adoption.problem, HasSubstr("a can't make the move"));
    const Names made = history(match);
    ASSERT_EQ(made.size(), 4U) << sent;
    EXPECT_EQ(made[0], move_of(match, id_of(match, sent)));
    EXPECT_EQ(legal(match).size(), 2U) << "it is the turn of a again";
  }
}

TEST_F(RefereeTest, GuessesATurnAlthoughNotAllLegalMovesHaveBeenDerived) {
  Referee match = referee();
  ASSERT_EQ(match.prepare(part_of(kTurns), "a"), std::nullopt);
  EXPECT_EQ(match.adopt(part_of("((go left) noop)"), std::nullopt).kind, Kind::Adopted);
  // The move of b has been lost; that a can't move is known before the moves of b are.
  EXPECT_EQ(match.adopt(part_of("((go left) noop)"), std::nullopt).kind, Kind::Recovered);
  EXPECT_EQ(history(match).size(), 6U);
}

TEST_F(RefereeTest, ForeseesWhatItsMoveAloneDecides) {
  Referee own = referee(), others = referee();
  ASSERT_EQ(own.prepare(part_of(kTurns), "a"), std::nullopt);
  ASSERT_EQ(others.prepare(part_of(kTurns), "b"), std::nullopt);
  const auto after = own.foresee(id_of(own, "( go left )"));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->history.size(), 2U);
  EXPECT_EQ(history(own), Names{}) << "the match itself has not gone on";
  EXPECT_FALSE(others.foresee(id_of(others, "noop"))) << "a has a choice";
  own.adopt(part_of("((go left) noop)"), std::nullopt);
  own.adopt(part_of("(noop (go left))"), std::nullopt);
  EXPECT_FALSE(own.foresee(id_of(own, "( go left )"))) << "it ends the game";
}

TEST_F(RefereeTest, TriesAgainLaterWhatCouldNotBeDerived) {
  Referee match = referee();
  ASSERT_EQ(match.prepare(part_of(kTurns), "a"), std::nullopt);
  faults->next = Faults::Kind::OverBudget;
  EXPECT_EQ(match.adopt(part_of("((go left) noop)"), std::nullopt).kind, Kind::Adopted);
  EXPECT_EQ(match.catch_up(), Status::OverBudget);
  EXPECT_EQ(match.adopt(part_of("(noop (go right))"), std::nullopt).kind, Kind::Adopted);
  EXPECT_EQ(history(match), Names{});
  faults->next = Faults::Kind::None;
  EXPECT_EQ(match.catch_up(), Status::Ok);
  EXPECT_EQ(history(match).size(), 4U);
  EXPECT_EQ(legal(match).size(), 2U);
}

TEST_F(RefereeTest, GivesUpWhatOnlyThisTurnNeedsWhereTheHostHasGoneOn) {
  Referee match = referee();
  ASSERT_EQ(match.prepare(part_of(kTurns), "a"), std::nullopt);
  match.adopt(part_of("((go left) noop)"), std::nullopt);
  faults->legal = Faults::Kind::Hangs;
  interrupt.announce();
  std::vector<gdl::MoveId> moves;
  EXPECT_EQ(match.own_legal(moves), Status::Stopped);
  EXPECT_EQ(match.adopt(part_of("(noop (go left))"), std::nullopt).kind, Kind::Adopted)
      << "without the legal moves the host is believed";
  EXPECT_EQ(match.catch_up(), Status::Ok);
  interrupt.attend();
  faults->legal = Faults::Kind::None;
  EXPECT_EQ(legal(match).size(), 2U);
}

}  // namespace
}  // namespace ludens::agent
