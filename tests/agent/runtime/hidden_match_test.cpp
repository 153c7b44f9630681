// SPDX-License-Identifier: MIT
// A match in which information is hidden, followed by what one role learns.
#include "agent/runtime/hidden_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "agent/runtime/referee.h"
#include "gdl/interpreter/interpreter.h"
#include "tests/agent/hidden_games.h"

namespace ludens::agent {
namespace {

using gdl::Status;
using search::hidden::MatchPhase;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;
using testing::UnorderedElementsAre;
using Kind = Adoption::Kind;
using Names = std::vector<std::string>;

/// Followed through a referee, as a match is.
class HiddenMatchTest : public testing::Test {
 protected:
  void begin(const char* rules, const char* role) {
    ASSERT_EQ(match.prepare(part_of(rules), role), std::nullopt);
  }
  static Perceived told(std::optional<std::size_t> turn, const std::string& own,
                        const std::string& percepts) {
    Perceived report;
    report.turn = turn;
    if (!own.empty()) report.own = part_of(own);
    const Part list = part_of(percepts);
    for (const gdl::NodeIndex node : moves_of(list)) {
      report.percepts.emplace_back(Part{list.tree, node});
    }
    return report;
  }
  /// By a host that counts turns.
  Adoption tell(std::size_t turn, const std::string& own, const std::string& percepts) {
    return match.adopt(told(turn, own, percepts), std::nullopt);
  }
  /// By one that does not; `sent`: our last answer.
  Adoption perceive(const std::string& percepts, const std::string& sent = {}) {
    return match.adopt(told(std::nullopt, "", percepts),
                       sent.empty() ? std::nullopt : std::optional(id_of(sent)));
  }
  gdl::MoveId id_of(const std::string& move) const {
    return intern_move(*match.machine()->vocabulary(), part_of(move)).value();
  }
  std::string name(gdl::MoveId move) const {
    return match.machine()->vocabulary()->move_name(move);
  }
  Names legal() {
    std::vector<gdl::MoveId> moves;
    EXPECT_EQ(match.catch_up(), Status::Ok);
    EXPECT_EQ(match.own_legal(moves), Status::Ok);
    Names names;
    for (const gdl::MoveId move : moves) names.push_back(name(move));
    return names;
  }
  Names own_moves() const {
    const search::Position position = match.position();
    Names names;
    for (const auto& turn : *position.known) names.push_back(name(turn.own));
    return names;
  }
  /// What was perceived in a turn, from 0.
  Names percepts(std::size_t turn) const {
    const search::Position position = match.position();
    Names names;
    for (const gdl::PerceptId percept : position.known->at(turn).percepts) {
      names.push_back(match.machine()->vocabulary()->percept_name(percept));
    }
    return names;
  }
  /// That the position is one of the rules: what its history leads to, and what our role knows of
  /// it.
  void expect_fitting() const {
    const search::Position position = match.position();
    const gdl::Machine& machine = *position.machine;
    const auto context = machine.make_context();
    const std::size_t roles = machine.role_count();
    ASSERT_EQ(position.history.size(), position.known->size() * roles);
    gdl::State state, next;
    ASSERT_EQ(machine.initial(*context, state), Status::Ok);
    for (std::size_t turn = 0; turn < position.known->size(); ++turn) {
      const auto joint = std::span(position.history).subspan(turn * roles, roles);
      EXPECT_EQ(joint[position.role], (*position.known)[turn].own);
      std::vector<gdl::PerceptId> seen;
      ASSERT_EQ(machine.percepts(*context, state, joint, position.role, seen), Status::Ok);
      EXPECT_EQ(seen, (*position.known)[turn].percepts) << turn;
      ASSERT_EQ(machine.next(*context, state, joint, next), Status::Ok);
      std::swap(state, next);
    }
    EXPECT_TRUE(gdl::StateView(state) == gdl::StateView(position.state));
  }

  Interrupt interrupt;
  Referee match{interrupt, MatchMemory(std::size_t{64} << 20), gdl::make_interpreter};
};

TEST_F(HiddenMatchTest, KnowsNothingBeforeTheFirstTurn) {
  begin(kHiding, "seeker");
  EXPECT_EQ(tell(0, "", "()").kind, Kind::NoMoves);
  ASSERT_TRUE(match.position().known);
  EXPECT_TRUE(match.position().known->empty());
  EXPECT_THAT(legal(), UnorderedElementsAre("( Look a )", "( Look b )", "( Look c )"));
}

TEST_F(HiddenMatchTest, FollowsOwnMovesAndPercepts) {
  begin(kHiding, "seeker");
  EXPECT_EQ(tell(0, "", "()").kind, Kind::NoMoves);
  const Adoption first = tell(1, "( look b )", "( ( found b ) )");
  EXPECT_EQ(first.kind, Kind::Adopted) << first.problem;
  EXPECT_EQ(first.own, id_of("( look b )"));
  EXPECT_EQ(tell(2, "( LOOK A )", "( )").kind, Kind::Adopted);
  EXPECT_EQ(own_moves(), (Names{"( Look b )", "( Look a )"}));
  EXPECT_EQ(percepts(0), Names{"( found b )"});
  EXPECT_EQ(percepts(1), Names{});
  expect_fitting();
  // The hider was found in b, and is not in a: it must be in c.
  EXPECT_EQ(name(match.position().history[3]), "( hide c )");
  EXPECT_TRUE(match.certain());
}

TEST_F(HiddenMatchTest, LegalMovesFollowFromWhatWasSeen) {
  for (const char* colour : {"red", "black"}) {
    Referee guest(interrupt, MatchMemory(std::size_t{64} << 20), gdl::make_interpreter);
    ASSERT_EQ(guest.prepare(part_of(kCard), "guest"), std::nullopt);
    guest.adopt(told(0, "", "()"), std::nullopt);
    const std::string seen = "( ( card " + std::string(colour) + " ) )";
    EXPECT_EQ(guest.adopt(told(1, "wait", seen), std::nullopt).kind, Kind::Adopted);
    std::vector<gdl::MoveId> moves;
    ASSERT_EQ(guest.own_legal(moves), Status::Ok);
    ASSERT_EQ(moves.size(), 1u);
    EXPECT_EQ(guest.machine()->vocabulary()->move_name(moves[0]),
              "( say " + std::string(colour) + " )");
  }
}

TEST_F(HiddenMatchTest, ATurnToldAgainChangesNothing) {
  begin(kHiding, "hider");
  tell(0, "", "()");
  tell(1, "( hide a )", "( ( looked b ) )");
  EXPECT_EQ(tell(1, "( hide a )", "( ( looked b ) )").kind, Kind::NoMoves);
  EXPECT_EQ(tell(0, "", "()").kind, Kind::NoMoves);
  EXPECT_EQ(match.position().known->size(), 1u);
}

TEST_F(HiddenMatchTest, PerceptsThatCannotBeAreNamedAndTheMatchGoesOn) {
  begin(kHiding, "seeker");
  tell(0, "", "()");
  for (const auto& [percepts, why] :
       {std::pair("( ( found a ) )",
                  "( found a ) can't be what seeker perceives after its move ( Look b )"),
        std::pair("( ( looked b ) )", "( looked b ) can't be"),
        std::pair("( ( burnt down ) )", "no percept of this game: ( burnt down )")}) {
    const std::size_t turn = match.position().known->size() + 1;
    const Adoption adoption = tell(turn, "( look b )", percepts);
    EXPECT_EQ(adoption.kind, Kind::Replaced) << percepts;
    EXPECT_THAT(adoption.problem, HasSubstr("turn " + std::to_string(turn) + ": "));
    EXPECT_THAT(adoption.problem, HasSubstr(why));
    EXPECT_EQ(match.position().known->size(), turn) << "in step with the host";
    EXPECT_THAT(legal(), UnorderedElementsAre("( Look a )", "( Look b )", "( Look c )"));
    expect_fitting();
  }
  EXPECT_EQ(own_moves(), Names(3, "( Look b )")) << "what could be, with our own moves";
}

TEST_F(HiddenMatchTest, AnOwnMoveThatCannotBeIsNotBelieved) {
  begin(kHiding, "seeker");
  tell(0, "", "()");
  EXPECT_EQ(tell(1, "( hide a )", "( )").kind, Kind::Replaced);
  expect_fitting();
  const Adoption adoption = tell(2, "( fly away )", "( )");
  EXPECT_EQ(adoption.kind, Kind::Replaced);
  EXPECT_THAT(adoption.problem, HasSubstr("turn 2: not a move of this game: ( fly away )"));
  expect_fitting();
}

TEST_F(HiddenMatchTest, AMissedTurnIsGuessedByTheNext) {
  begin(kHiding, "hider");
  tell(0, "", "()");
  // Turn 1 was not sent. That the hider could hide in a again says that it was not found there.
  const Adoption adoption =
      match.adopt(told(2, "( hide a )", "( ( looked c ) )"), id_of("( hide a )"));
  EXPECT_EQ(adoption.kind, Kind::Recovered);
  EXPECT_THAT(adoption.problem, HasSubstr("turn 1 was not told"));
  EXPECT_EQ(match.position().known->size(), 2u);
  EXPECT_EQ(own_moves().back(), "( hide a )");
  expect_fitting();
}

TEST_F(HiddenMatchTest, SeveralMissedTurnsAreGuessed) {
  begin(kHiding, "seeker");
  tell(0, "", "()");
  EXPECT_NE(tell(3, "( look c )", "( ( found c ) )").kind, Kind::Illegal);
  EXPECT_EQ(match.position().known->size(), 3u);
  EXPECT_EQ(own_moves().back(), "( Look c )");
  expect_fitting();
}

TEST_F(HiddenMatchTest, TurnsUpToOneFarAheadAreNotGuessed) {
  begin(R"((
    (role guesser) (role hider) (init on) (hand left) (hand right)
    (<= (legal ?r (show ?h)) (role ?r) (hand ?h)) (<= (next on) (true on))
    (<= (sees guesser ?h) (does hider (show ?h))) (<= terminal (true off))
    (goal guesser 50) (goal hider 50)))",
        "guesser");
  tell(0, "", "()");
  const Adoption adoption = tell(4'000'000'000, "( show left )", "( right )");
  EXPECT_EQ(adoption.kind, Kind::Illegal);
  EXPECT_THAT(adoption.problem, HasSubstr("the last one known is 0"));
  EXPECT_EQ(tell(1, "( show left )", "( right )").kind, Kind::Adopted) << "the match goes on";
}

TEST_F(HiddenMatchTest, WithoutTurnsTheOwnMoveIsWhatWasSent) {
  begin(kHiding, "seeker");
  EXPECT_EQ(match.adopt(told(0, "", "()"), std::nullopt).kind, Kind::NoMoves);
  const Adoption adoption = perceive("( ( found a ) )", "( look a )");
  EXPECT_EQ(adoption.kind, Kind::Adopted);
  EXPECT_EQ(own_moves(), Names{"( Look a )"});
  EXPECT_EQ(perceive("( )", "( look b )").kind, Kind::Adopted) << "nothing perceived is a turn";
  EXPECT_EQ(match.position().known->size(), 2u);
  expect_fitting();
}

TEST_F(HiddenMatchTest, WithoutTurnsAReplacedMoveIsFoundByItsPercepts) {
  begin(kHiding, "seeker");
  match.adopt(told(0, "", "()"), std::nullopt);
  const Adoption adoption = perceive("( ( found c ) )", "( look a )");
  EXPECT_EQ(adoption.kind, Kind::Adopted) << adoption.problem;
  EXPECT_EQ(adoption.own, id_of("( look c )")) << "the host must have made this one for us";
  expect_fitting();
}

TEST_F(HiddenMatchTest, WithoutTurnsAndWithoutAnAnswerTheOwnMoveIsGuessed) {
  begin(kHiding, "hider");
  match.adopt(told(0, "", "()"), std::nullopt);
  EXPECT_EQ(perceive("( ( looked b ) )").kind, Kind::Adopted);
  EXPECT_EQ(match.position().known->size(), 1u);
  EXPECT_EQ(percepts(0), Names{"( looked b )"});
  expect_fitting();
}

TEST_F(HiddenMatchTest, TheLastTurnMayEndTheGame) {
  begin(kCard, "guest");
  tell(0, "", "()");
  tell(1, "wait", "( ( card red ) )");
  EXPECT_EQ(match.adopt(told(2, "( say red )", "( )"), std::nullopt, MatchPhase::IsOver).kind,
            Kind::Adopted);
  bool over = false;
  EXPECT_EQ(match.terminal(over), Status::Ok);
  EXPECT_TRUE(over);
  EXPECT_TRUE(match.certain());
  std::vector<int> goals;
  EXPECT_EQ(match.goals(goals), Status::Ok);
  EXPECT_EQ(goals, (std::vector<int>{100, 0}));
}

TEST_F(HiddenMatchTest, ATurnThatWouldEndTheGameIsNotWhatWasPlayedWhereTheHostGoesOn) {
  begin(kCard, "guest");
  tell(0, "", "()");
  tell(1, "wait", "( ( card red ) )");
  const Adoption adoption = tell(2, "( say red )", "( )");
  EXPECT_EQ(adoption.kind, Kind::Illegal) << "every turn ends the game here";
  EXPECT_EQ(match.position().known->size(), 1u);
  EXPECT_EQ(legal(), Names{"( say red )"});
}

TEST_F(HiddenMatchTest, MovesAndPerceptsAreNotMixedUp) {
  begin(kHiding, "seeker");
  const Adoption moves = match.adopt(part_of("( ( look a ) ( hide a ) )"), std::nullopt);
  EXPECT_EQ(moves.kind, Kind::Illegal);
  EXPECT_THAT(moves.problem, HasSubstr("moves are told where percepts are expected"));
  Referee open(interrupt, MatchMemory(std::size_t{64} << 20), gdl::make_interpreter);
  ASSERT_EQ(open.prepare(part_of("((role a) (init x) (legal a go) (<= (next x) (true x)))"), "a"),
            std::nullopt);
  EXPECT_EQ(open.position().known, std::nullopt) << "nothing is hidden";
  const Adoption adoption = open.adopt(told(1, "go", "( )"), std::nullopt);
  EXPECT_EQ(adoption.kind, Kind::Illegal);
  EXPECT_THAT(adoption.problem, HasSubstr("percepts are told where moves are expected"));
}

TEST_F(HiddenMatchTest, WithoutTimeToFindWhatFitsWhatWasToldIsKnownAllTheSame) {
  begin(kHiding, "seeker");
  const gdl::RoleIndex seeker = 0;
  HiddenMatch hasty(match.machine(), seeker, nullptr, std::chrono::milliseconds(0));
  hasty.adopt(told(0, "", "()"), std::nullopt, MatchPhase::GoesOn, interrupt);
  for (std::size_t turn = 1; turn <= 3; ++turn) {
    const auto report = told(turn, "( look b )", turn == 2 ? "( ( found b ) )" : "( )");
    const Adoption adoption = hasty.adopt(report, std::nullopt, MatchPhase::GoesOn, interrupt);
    EXPECT_EQ(adoption.kind, Kind::Adopted) << adoption.problem;
    ASSERT_EQ(hasty.known().size(), turn);
    EXPECT_EQ(hasty.known().back().own, id_of("( look b )"));
    EXPECT_EQ(hasty.known().back().percepts.size(), turn == 2 ? 1u : 0u);
    EXPECT_EQ(hasty.history().size(), turn * 2);
  }
}

/// Chance hides one of ten numbers; all but one of them end the game after the second turn.
constexpr const char* kNumbers = R"((
  (role guest) (role random) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
  (number 0) (number 1) (number 2) (number 3) (number 4)
  (number 5) (number 6) (number 7) (number 8) (number 9)
  (legal guest wait) (<= (legal random (hide ?n)) (true (step 1)) (number ?n))
  (<= (legal random wait) (not (true (step 1))))
  (<= (sees guest (was ?n)) (true (step 4)) (true (hidden ?n)))
  (<= (next (hidden ?n)) (does random (hide ?n))) (<= (next (hidden ?n)) (true (hidden ?n)))
  (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
  (<= terminal (true (step 3)) (true (hidden ?n)) (distinct ?n 3)) (<= terminal (true (step 5)))
  (goal guest 50) (goal random 0)))";

TEST_F(HiddenMatchTest, WhatWasToldIsKnownWhereEachMoveWouldEndTheHistoryThatIsContinued) {
  begin(kNumbers, "guest");
  const gdl::RoleIndex guest = 0;
  HiddenMatch hasty(match.machine(), guest, nullptr, std::chrono::milliseconds(0));
  const auto tell_hasty = [&](std::size_t turn) {
    return hasty.adopt(told(turn, "wait", "( )"), std::nullopt, MatchPhase::GoesOn, interrupt);
  };
  EXPECT_EQ(tell_hasty(1).kind, Kind::Adopted);
  ASSERT_NE(name(hasty.history().back()), "( hide 3 )") << "otherwise this tests nothing";
  for (const std::size_t turn : {2, 3}) {
    const Adoption adoption = tell_hasty(turn);
    EXPECT_EQ(adoption.kind, Kind::Adopted) << adoption.problem;
    EXPECT_EQ(adoption.own, id_of("wait"));
    ASSERT_EQ(hasty.known().size(), turn);
    EXPECT_EQ(hasty.known().back(), (search::KnownTurn{id_of("wait"), {}}));
  }
}

/// More boxes than histories are kept.
std::string many_boxes() {
  std::string rules = kHiding;
  const std::string boxes = "(box a) (box b) (box c)";
  std::string more;
  for (int box = 0; box < 100; ++box) more += " (box b" + std::to_string(box) + ")";
  return rules.replace(rules.find(boxes), boxes.size(), boxes + more);
}

TEST_F(HiddenMatchTest, PerceptsThatCannotBeAreKnownAsSuchWhereASampleIsKept) {
  const std::string rules = many_boxes();
  begin(rules.c_str(), "seeker");
  const gdl::RoleIndex seeker = 0;
  HiddenMatch patient(match.machine(), seeker, nullptr, std::nullopt);
  const auto tell_patient = [&](std::size_t turn, const char* percepts) {
    return patient.adopt(told(turn, "( look b )", percepts), std::nullopt, MatchPhase::GoesOn,
                         interrupt);
  };
  EXPECT_EQ(tell_patient(1, "( )").kind, Kind::Adopted);
  const Adoption replaced = tell_patient(2, "( ( found a ) )");
  EXPECT_EQ(replaced.kind, Kind::Replaced);
  EXPECT_THAT(replaced.problem, HasSubstr("( found a ) can't be what seeker perceives"));
  ASSERT_EQ(patient.known().size(), 2u);
  for (const gdl::PerceptId percept : patient.known().back().percepts) {
    EXPECT_EQ(match.machine()->vocabulary()->percept_name(percept), "( found b )");
  }
  EXPECT_EQ(tell_patient(3, "( )").kind, Kind::Adopted);
  EXPECT_EQ(patient.known().size(), 3u);
  EXPECT_TRUE(patient.legal().has_value()) << "there are histories that fit";
}

TEST_F(HiddenMatchTest, WhatMustFollowIsNotForeseen) {
  begin(kHiding, "seeker");
  tell(0, "", "()");
  EXPECT_EQ(match.foresee(id_of("( look a )")), std::nullopt);
}

TEST_F(HiddenMatchTest, WhatCouldNotBeFollowedIsCaughtUpWith) {
  begin(kHiding, "seeker");
  tell(0, "", "()");
  interrupt.end();
  EXPECT_EQ(tell(1, "( look a )", "( ( found a ) )").kind, Kind::Adopted) << "believed";
  EXPECT_EQ(match.position().known->size(), 0u);
  interrupt.end_at(Interrupt::Clock::now() + std::chrono::hours(1));
  EXPECT_EQ(match.catch_up(), Status::Ok);
  EXPECT_EQ(percepts(0), Names{"( found a )"});
  expect_fitting();
}

}  // namespace
}  // namespace ludens::agent
