// SPDX-License-Identifier: MIT
// Matches with hidden information: percepts in place of moves, with turns (2013) and without
// (2011).
#include <mutex>

#include "tests/agent/hidden_games.h"
#include "tests/agent/machine_doubles.h"
#include "tests/agent/player/killed_player_test.h"

namespace ludens::agent {
namespace {

/// The strategy answers with the move whose name comes last; what it knew is kept.
class PlayerHidden : public KilledPlayerTest {
 protected:
  struct Knowledge {
    std::string own, percepts;
    friend bool operator==(const Knowledge&, const Knowledge&) = default;
  };

  void SetUp() override {
    KilledPlayerTest::SetUp();
    options.answer_forced_at_once = false;
    script->play([this](const auto& position, const auto&, auto& incumbent) {
      note(position);
      publish_last(position, incumbent);
    });
  }
  void TearDown() override {
    KilledPlayerTest::TearDown();
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(open_) << "a position without what is known";
  }

  /// As hosts of 2013 send it.
  GotPointer turn(std::size_t number, const std::string& own, const std::string& percepts,
                  const std::string& id = "m") {
    return send(Play{id, part(percepts), {}, OwnTurn{number, part(own)}});
  }
  GotPointer first() { return turn(0, "NIL", "NIL"); }
  /// Of the turns, when the strategy last thought.
  std::vector<Knowledge> known() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

 private:
  void note(const search::Position& position) {
    const gdl::Vocabulary& names = *position.machine->vocabulary();
    const std::lock_guard lock(mutex_);
    known_.clear();
    open_ = open_ || !position.known;
    if (!position.known) return;
    for (const search::KnownTurn& turn : *position.known) {
      std::string percepts;
      for (const gdl::PerceptId id : turn.percepts) percepts += names.percept_name(id);
      known_.push_back({names.move_name(turn.own), std::move(percepts)});
    }
  }

  std::mutex mutex_;
  std::vector<Knowledge> known_;
  bool open_ = false;
};

TEST_F(PlayerHidden, TurnsAreFollowedByOwnMovesAndPercepts) {
  begin_match("m", "seeker", kHiding);
  EXPECT_EQ(wait(first()), "( Look c )");
  EXPECT_EQ(wait(turn(1, "( look c )", "( ( found c ) )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look c )", "( found c )"}}));
  EXPECT_EQ(wait(turn(2, "( LOOK C )", "( )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look c )", "( found c )"}, {"( Look c )", ""}}));
  EXPECT_EQ(send(Stop{"m", part("( ( found a ) )"), OwnTurn{3, part("( look a )")}})->text, "done");
  EXPECT_FALSE(logged("can't be")) << log.str();
  EXPECT_FALSE(logged("replaced")) << log.str();
}

TEST_F(PlayerHidden, WhatFitsIsLookedForInHalfOfTheTimeOnly) {
  const auto faults = std::make_shared<Faults>();
  options.make_machine = [faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
    return make_faulty_machine(std::move(vocabulary), faults);
  };
  begin_match("m", "seeker", kHiding, 30, 1);
  EXPECT_EQ(wait(first()), "( Look c )");
  faults->legal = Faults::Kind::HangsOnce;
  // The clock that the answer is due by stands still: only half of its time passes.
  EXPECT_EQ(wait(turn(1, "( look c )", "( )")), "( Look c )");
  EXPECT_EQ(faults->legal, Faults::Kind::None) << "otherwise this tests nothing";
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look c )", ""}}));
  EXPECT_EQ(wait(turn(2, "( look c )", "( ( found c ) )")), "( Look c )");
  EXPECT_EQ(known().size(), 2u);
  EXPECT_FALSE(logged("guessing")) << log.str();
}

TEST_F(PlayerHidden, TheSameTurnAgainIsARepeat) {
  begin_match("m", "seeker", kHiding);
  EXPECT_EQ(wait(first()), "( Look c )");
  EXPECT_EQ(wait(first()), "( Look c )");
  EXPECT_EQ(wait(turn(1, "( look a )", "( )")), "( Look c )");
  EXPECT_EQ(wait(turn(1, "( look a )", "( )")), "( Look c )");
  EXPECT_EQ(wait(turn(0, "NIL", "NIL")), "( Look c )") << "one that is long over";
  EXPECT_EQ(player->matches().at(0).step, 1u);
  EXPECT_EQ(times_logged("PLAY again"), 3) << log.str();
  EXPECT_EQ(wait(turn(2, "( look a )", "( )")), "( Look c )") << "the same, and another turn";
  EXPECT_EQ(known().size(), 2u);
}

TEST_F(PlayerHidden, TheSameTurnWhileItIsThoughtAboutJoinsIt) {
  begin_match("m", "seeker", kHiding);
  script->play(patient());
  const auto once = turn(0, "NIL", "NIL");
  const auto again = turn(0, "NIL", "NIL");
  EXPECT_EQ(once->replies + again->replies, 0);
  ASSERT_TRUE(until([&] { return !status().thinking.empty(); })) << log.str();
  time.advance(s(15));
  EXPECT_EQ(wait(once), "( Look c )");
  EXPECT_EQ(wait(again), "( Look c )");
}

TEST_F(PlayerHidden, AReplacedMoveIsTheHosts) {
  begin_match("m", "seeker", kHiding);
  EXPECT_EQ(wait(first()), "( Look c )");
  EXPECT_EQ(wait(turn(1, "( look a )", "( ( found a ) )")), "( Look c )");
  EXPECT_TRUE(logged("the host replaced our ( Look c ) by ( Look a )")) << log.str();
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look a )", "( found a )"}}));
}

TEST_F(PlayerHidden, APerceptThatCannotBeIsLoggedWithItsTurn) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  EXPECT_EQ(wait(turn(1, "( look c )", "( ( found a ) )")), "( Look c )");
  EXPECT_TRUE(
      logged("match=m turn 1: ( found a ) can't be what seeker perceives after its move "
             "( Look c ); going on as if it were another turn that could be"))
      << log.str();
  EXPECT_EQ(wait(turn(2, "( look c )", "( ( ( ) ) ( unheard of ) )")), "( Look c )");
  EXPECT_TRUE(logged("turn 2: no percept of this game")) << log.str();
  EXPECT_EQ(wait(turn(3, "( look c )", "( ( found c ) )")), "( Look c )");
  EXPECT_EQ(known().size(), 3u);
}

TEST_F(PlayerHidden, ATurnThatWasMissedIsGuessed) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  EXPECT_EQ(wait(turn(2, "( look a )", "( ( found a ) )")), "( Look c )");
  EXPECT_TRUE(logged("turn 1 was not told: a PLAY must have been missed")) << log.str();
  ASSERT_EQ(known().size(), 2u);
  EXPECT_EQ(known()[1], (Knowledge{"( Look a )", "( found a )"}));
}

TEST_F(PlayerHidden, AnOwnMoveThatIsNotTold) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  EXPECT_EQ(wait(turn(1, "nil", "( ( found c ) )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look c )", "( found c )"}})) << "what was sent";
}

TEST_F(PlayerHidden, WithoutTurnsPerceptsStandInPlaceOfMoves) {
  begin_match("m", "seeker", kHiding);
  EXPECT_EQ(wait(play("m", "NIL")), "( Look c )");
  EXPECT_EQ(wait(play("m", "( ( FOUND C ) )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look c )", "( found c )"}}));
  EXPECT_EQ(wait(play("m", "( )")), "( Look c )");
  EXPECT_EQ(wait(play("m", "( )")), "( Look c )") << "a turn like the one before";
  EXPECT_EQ(known().size(), 3u);
  EXPECT_EQ(stop("m", "( )")->text, "done");
  EXPECT_FALSE(logged("can't be")) << log.str();
  EXPECT_FALSE(logged("replaced")) << log.str();
}

TEST_F(PlayerHidden, WithoutTurnsASecondNilIsARepeat) {
  begin_match("m", "seeker", kHiding);
  EXPECT_EQ(wait(play("m", "NIL")), "( Look c )");
  EXPECT_EQ(wait(play("m", "NIL")), "( Look c )");
  EXPECT_EQ(player->matches().at(0).step, 0u);
  EXPECT_EQ(wait(play("m", "( )")), "( Look c )");
  EXPECT_EQ(known().size(), 1u);
}

TEST_F(PlayerHidden, WithoutTurnsWhatComesBeforeTheAnswerIsARepeat) {
  begin_match("m", "seeker", kHiding);
  wait(play("m", "NIL"));
  script->play(patient());
  const auto once = play("m", "( ( found c ) )");
  const auto again = play("m", "( ( found c ) )");
  ASSERT_TRUE(until([&] { return !status().thinking.empty(); })) << log.str();
  time.advance(s(15));
  EXPECT_EQ(wait(once), "( Look c )");
  EXPECT_EQ(wait(again), "( Look c )");
  ASSERT_TRUE(until([&] { return player->matches().at(0).step == 1; })) << log.str();
}

TEST_F(PlayerHidden, WithoutTurnsAReplacedMoveIsFoundWhereItShows) {
  begin_match("m", "seeker", kHiding);
  wait(play("m", "NIL"));
  EXPECT_EQ(wait(play("m", "( ( found b ) )")), "( Look c )");
  EXPECT_TRUE(logged("the host replaced our ( Look c ) by ( Look b )")) << log.str();
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look b )", "( found b )"}}));
}

TEST_F(PlayerHidden, WithoutTurnsThePerceptsOfOurOtherRoleAreACopy) {
  script->play(patient());
  const auto ready = start("m", "seeker", kHiding);
  EXPECT_EQ(start("m", "hider", kHiding)->text, "busy");
  time.advance(s(30));
  EXPECT_EQ(wait(ready), "ready");
  script->play(quick());
  const auto both = [this](const char* seeker, const char* hider) {
    const auto own = play("m", seeker), other = play("m", hider);
    EXPECT_EQ(wait(own), "( Look c )") << seeker;
    EXPECT_EQ(wait(other), "( Look c )") << hider;
  };
  both("NIL", "NIL");
  both("( ( found c ) )", "( ( looked c ) )");
  both("( )", "( ( looked c ) )");
  EXPECT_TRUE(until([&] { return status().step == 2; })) << log.str();
  EXPECT_EQ(times_logged("reply=\"( Look c )\" used_ms"), 3) << log.str();
}

TEST_F(PlayerHidden, AStartAgainAndTheFirstTurnBeginTheMatchAnew) {
  for (const bool numbered : {true, false}) {
    begin_match("m", "seeker", kHiding);
    wait(numbered ? first() : play("m", "NIL"));
    wait(numbered ? turn(1, "( look c )", "( )") : play("m", "( )"));
    wait(numbered ? turn(2, "( look c )", "( )") : play("m", "( )"));
    EXPECT_EQ(start("m", "seeker", kHiding)->text, "ready");
    EXPECT_EQ(wait(numbered ? first() : play("m", "NIL")), "( Look c )");
    EXPECT_EQ(known(), std::vector<Knowledge>{});
    EXPECT_EQ(wait(numbered ? turn(1, "( look c )", "( )") : play("m", "( )")), "( Look c )");
    EXPECT_EQ(known().size(), 1u);
    EXPECT_EQ(abort("m")->text, "aborted");
  }
}

TEST_F(PlayerHidden, AKilledPlayerGoesOnWithWhatItKnew) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  wait(turn(1, "( look a )", "( ( found a ) )"));
  crash();
  EXPECT_EQ(wait(turn(2, "( look c )", "( )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{{"( Look a )", "( found a )"}, {"( Look c )", ""}}));
  EXPECT_EQ(wait(turn(2, "( look c )", "( )")), "( Look c )") << "a repeat";
  EXPECT_EQ(wait(turn(3, "( look b )", "( ( found b ) )")), "( Look c )");
  EXPECT_EQ(known().size(), 3u);
  EXPECT_FALSE(logged("can't")) << log.str();
}

TEST_F(PlayerHidden, AKilledPlayerKnowsWhichTurnItHasAnswered) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  wait(turn(1, "( look c )", "( )"));
  crash();
  EXPECT_EQ(wait(turn(1, "( look c )", "( )")), "( Look c )");
  EXPECT_TRUE(logged("PLAY again")) << log.str();
  EXPECT_EQ(player->matches().at(0).step, 1u);
}

TEST_F(PlayerHidden, AKilledPlayerMissesATurn) {
  begin_match("m", "seeker", kHiding);
  wait(first());
  wait(turn(1, "( look c )", "( )"));
  crash();
  EXPECT_EQ(wait(turn(3, "( look a )", "( ( found a ) )")), "( Look c )");
  EXPECT_TRUE(logged("turn 2 was not told")) << log.str();
  ASSERT_EQ(known().size(), 3u);
  EXPECT_EQ(known()[0], (Knowledge{"( Look c )", ""}));
}

TEST_F(PlayerHidden, AKilledPlayerWithoutTurnsKnowsItsMovesFromItsAnswers) {
  begin_match("m", "seeker", kHiding);
  wait(play("m", "NIL"));
  wait(play("m", "( ( found c ) )"));
  wait(play("m", "( )"));
  crash();
  EXPECT_EQ(wait(play("m", "( )")), "( Look c )");
  EXPECT_EQ(known(), (std::vector<Knowledge>{
                         {"( Look c )", "( found c )"}, {"( Look c )", ""}, {"( Look c )", ""}}));
  EXPECT_FALSE(logged("can't")) << log.str();
}

TEST_F(PlayerHidden, AKilledPlayerWithoutTurnsThatHadNotAnswered) {
  begin_match("m", "seeker", kHiding);
  wait(play("m", "NIL"));
  script->play(patient());
  const auto lost = play("m", "( ( found c ) )");
  ASSERT_TRUE(until([&] { return !status().thinking.empty() && lines("m") == 4; })) << log.str();
  crash();
  script->play(quick());
  // The host has made a move for us, and goes on.
  EXPECT_EQ(wait(play("m", "( ( found a ) )")), "( Look c )");
  ASSERT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
  EXPECT_EQ(stop("m", "( )")->text, "done");
}

TEST_F(PlayerHidden, AHostThatTellsOneMoveCannotHideMoves) {
  Start start{"m", "seeker", part(kHiding), 30, 15};
  start.one_mover = true;
  EXPECT_EQ(send(start)->text, "busy");
  EXPECT_TRUE(logged("can't hide them")) << log.str();
}

TEST_F(PlayerHidden, MovesAreNotTakenForPercepts) {
  begin_match("m", "seeker", kHiding);
  wait(play("m", "NIL"));
  EXPECT_EQ(wait(play("m", "( ( look c ) ( hide a ) )")), "( Look c )")
      << "a legal move all the same";
  EXPECT_TRUE(logged("turn 1: ")) << log.str();
  EXPECT_EQ(abort("m")->text, "aborted");
}

}  // namespace
}  // namespace ludens::agent
