// SPDX-License-Identifier: MIT
// The table of behaviour: what each message gets in each situation.
#include "tests/agent/machine_doubles.h"
#include "tests/agent/player/player_test.h"

namespace ludens::agent {
namespace {

class PlayerTable : public PlayerTest {};

TEST_F(PlayerTable, InfoOfAFreePlayerIsAvailable) {
  EXPECT_EQ(info(), kAvailable);
}

TEST_F(PlayerTable, InfoSpellsTheNameAsAnAtom) {
  options.name = "My (best) player";
  EXPECT_EQ(info(), "( ( name My__best__player ) ( status available ) )");
}

TEST_F(PlayerTable, InfoDuringASearchIsBusy) {
  script->play(patient());
  start("m", "a", kTurns);
  ASSERT_TRUE(until([&] { return script->running > 0; }));
  EXPECT_EQ(info(), kIsBusy);
}

TEST_F(PlayerTable, InfoAfterStopIsAvailable) {
  begin_match("m", "a", kTurns);
  stop("m", "nil");
  EXPECT_EQ(info(), kAvailable);
}

TEST_F(PlayerTable, PreviewOfAFreePlayerIsReady) {
  EXPECT_EQ(send(Preview{part(kTurns), 10})->text, "ready");
}

TEST_F(PlayerTable, PreviewWhileAMatchRunsIsBusy) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(send(Preview{part(kTurns), 10})->text, "busy");
}

TEST_F(PlayerTable, StartIsReady) {
  EXPECT_EQ(wait(start("m", "a", kTurns)), "ready");
}

TEST_F(PlayerTable, RulesWithoutANextStateArePlayed) {
  begin_match("m", "a",
              "((role a) (init s) (legal a wait) (<= terminal (not (true s))) (goal a 50))");
  EXPECT_EQ(wait(play("m", "nil")), "wait");
  EXPECT_EQ(stop("m", "(wait)")->text, "done");
}

/// Without one of its rules it would be another game.
TEST_F(PlayerTable, RulesThatNoMachineCanEvaluateAreRefused) {
  EXPECT_EQ(wait(start("m", "a",
                       "((role a) (init s) (legal a wait) (<= (legal a (go ?x)) (true s))"
                       "(<= terminal (not (true s))) (goal a 50))")),
            "busy");
  EXPECT_TRUE(logged("has a variable that nothing binds")) << log.str();
}

TEST_F(PlayerTable, MovesInParenthesesAreSentAsTheRulesHaveThem) {
  begin_match("m", "a",
              "((role a) (init s) (legal a (rock)) (<= (next (t ?m)) (does a ?m))"
              "(<= terminal (true (t x))) (goal a 50))");
  EXPECT_EQ(wait(play("m", "nil")), "( rock )");
  EXPECT_EQ(wait(play("m", "(rock)")), "( rock )");
  EXPECT_EQ(wait(play("m", "((rock))")), "( rock )");
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerTable, RolesAreComparedWithoutCase) {
  EXPECT_EQ(wait(start("m", "A", kTurns)), "ready");
}

TEST_F(PlayerTable, StartAgainGetsTheSameAnswer) {
  EXPECT_EQ(wait(start("m", "a", kTurns)), "ready");
  EXPECT_EQ(start("m", "a", kTurns)->text, "ready");
  EXPECT_EQ(script->made, 1);
}

TEST_F(PlayerTable, StartAgainBetweenTwoTurnsGetsTheSameAnswer) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_EQ(start("m", "a", kTurns)->text, "ready");
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  EXPECT_EQ(wait(play("m", "nil")), "noop") << "a repeat";
  EXPECT_TRUE(until([&] { return status().step == 1; })) << log.str();
}

TEST_F(PlayerTable, StartAgainAndAPlayWithoutMovesBeginTheMatchAnew) {
  begin_match("m", "b", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "(noop (take 3))")), "noop");
  EXPECT_EQ(wait(play("m", "((take 2) noop)")), "( Take 3 )");
  EXPECT_EQ(start("m", "b", kTurns)->text, "ready");
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  EXPECT_TRUE(until([&] { return status().legal == 1u; })) << log.str();
  EXPECT_EQ(status().step, 0u);
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_TRUE(until([&] { return status().step == 1; })) << log.str();
}

TEST_F(PlayerTable, StartAgainOfADeadMatchBeginsItAnew) {
  begin_match("m", "b", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  time.advance(s(1000));
  EXPECT_EQ(wait(start("m", "b", kTurns)), "ready");
  EXPECT_EQ(wait(play("m", "((take 2) noop)")), "( Take 3 )");
  EXPECT_TRUE(until([&] { return status().step == 1; })) << log.str();
}

TEST_F(PlayerTable, StartAgainWhileTheFirstIsPendingWaitsForIt) {
  script->play(patient());
  const auto first = start("m", "a", kTurns);
  ASSERT_TRUE(until([&] { return script->running > 0; }));
  const auto second = start("m", "a", kTurns);
  EXPECT_EQ(second->replies, 0);
  // To the moment the answer is due and no further: the search gets no time to be late in.
  time.advance(s(29));
  EXPECT_EQ(wait(first), "ready");
  EXPECT_EQ(wait(second), "ready");
  EXPECT_EQ(script->made, 1);
}

TEST_F(PlayerTable, StartOfAnotherRoleUnderTheSameIdIsAnotherMatch) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(start("m", "b", kTurns)), "ready");
  EXPECT_EQ(wait(play("m", "nil")), "noop");
}

TEST_F(PlayerTable, StartWithoutCapacityIsBusyAndDisturbsNothing) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(start("other", "a", kTurns)->text, "busy");
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
}

TEST_F(PlayerTable, ARefusedStartIsPlayedIfThereIsCapacityAtItsFirstPlay) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(start("other", "b", kTurns)->text, "busy");
  EXPECT_EQ(play("other", "nil")->text, "busy");
  EXPECT_EQ(stop("m", "nil")->text, "done");
  EXPECT_EQ(wait(play("other", "nil")), "noop");
}

/// Which address a match belongs to is for as long to be kept.
TEST_F(PlayerTable, MatchesAreKnownWithAPlaceAndWhileTheirStartIsRemembered) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(start("other", "b", kTurns)->text, "busy");
  EXPECT_EQ(player->matches().size(), 1u);
  EXPECT_TRUE(player->owner("m"));
  EXPECT_TRUE(player->owner("other"));
  EXPECT_FALSE(player->owner("another"));
  for (const char* id : {"m", "other"}) {
    stop(id, "nil");
    EXPECT_FALSE(player->owner(id)) << id;
  }
}

TEST_F(PlayerTable, ARefusedStartOfRulesThatCantBePlayedIsBusyAtItsPlay) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(start("other", "nobody", kTurns)->text, "busy");
  stop("m", "nil");
  EXPECT_EQ(wait(play("other", "nil")), "busy");
}

TEST_F(PlayerTable, UnknownRoleIsBusyWithTheReasonInTheLog) {
  EXPECT_EQ(wait(start("m", "nobody", kTurns)), "busy");
  EXPECT_TRUE(logged("no role 'nobody'")) << log.str();
  EXPECT_EQ(info(), kAvailable);
  EXPECT_EQ(play("m", "nil")->text, "busy");
}

TEST_F(PlayerTable, RulesWithoutRolesAreBusy) {
  EXPECT_EQ(wait(start("m", "a", "((init x) (<= (legal a m) (true x)) (next x))")), "busy");
  EXPECT_TRUE(logged("no roles")) << log.str();
}

TEST_F(PlayerTable, RulesWithoutLegalMovesAreBusy) {
  EXPECT_EQ(wait(start("m", "a", "((role a) (init x) (next x) terminal)")), "busy");
  EXPECT_TRUE(logged("legal")) << log.str();
}

TEST_F(PlayerTable, RulesFromWhichNoLegalMoveFollowsAreBusy) {
  EXPECT_EQ(wait(start("m", "a", "((role a) (init x) (next x) (<= (legal a m) (true y)))")),
            "busy");
  EXPECT_TRUE(logged("no role has a legal move")) << log.str();
}

TEST_F(PlayerTable, RulesWithoutNextStatesAreBusy) {
  EXPECT_EQ(wait(start("m", "a", "((role a) (init x) (legal a m))")), "busy");
  EXPECT_TRUE(logged("next state")) << log.str();
}

TEST_F(PlayerTable, ADescriptionThatIsNoListIsBusy) {
  EXPECT_EQ(wait(start("m", "a", "rules")), "busy");
}

TEST_F(PlayerTable, PerceptsOfAGameWithoutAreBusy) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(send(Play{"m", part("()"), {}, OwnTurn{0, part("nil")}})->text, "busy");
  EXPECT_TRUE(logged("the rules have no sees")) << log.str();
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
}

TEST_F(PlayerTable, UnknownMatchesAreBusy) {
  EXPECT_EQ(play("m", "nil")->text, "busy");
  EXPECT_EQ(stop("m", "nil")->text, "busy");
  EXPECT_EQ(abort("m")->text, "busy");
}

TEST_F(PlayerTable, PlayGetsAMoveSpelledAsInStart) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "((TAKE 3) NOOP)")), "noop");
  EXPECT_EQ(wait(play("m", "( noop ( take 2 ) )")), "( Take 3 )");
}

TEST_F(PlayerTable, AllFormsOfNoMovesBeginTheMatch) {
  for (const char* nothing : {"nil", "NIL", "()"}) {
    begin_match(nothing, "a", kTurns);
    EXPECT_EQ(wait(play(nothing, nothing)), "( Take 3 )");
    EXPECT_EQ(abort(nothing)->text, "aborted");
  }
}

TEST_F(PlayerTable, AMatchMayBeginWithMoves) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "noop");
}

TEST_F(PlayerTable, ASecondNilIsARepeat) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  const int calls = script->calls;
  EXPECT_EQ(play("m", "()")->text, "( Take 3 )");
  time.run_posted();
  EXPECT_LE(script->calls, calls + 1);  // pondering at most
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
}

TEST_F(PlayerTable, ANilAfterMovesIsARepeat) {
  begin_match("m", "b", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
}

TEST_F(PlayerTable, MovesThatAreNotLegalAgainAreARepeat) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "( ( TAKE 3 ) NOOP )")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "(noop (take 3))")), "noop");
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerTable, MovesThatAreLegalAgainAreTheNextTurn) {
  begin_match("m", "a", kHands);
  EXPECT_EQ(wait(play("m", "nil")), "show");
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
}

TEST_F(PlayerTable, ARepeatStillInDoubtWhenTheHostGoesOnGetsTheSameReply) {
  const auto faults = std::make_shared<Faults>();
  options.make_machine = [faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
    return make_faulty_machine(std::move(vocabulary), faults);
  };
  begin_match("m", "b", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  faults->legal = Faults::Kind::Deaf;
  const auto first = play("m", "((take 3) noop)");
  ASSERT_TRUE(until([&] { return faults->stuck > 0; }));
  time.advance(s(14));
  EXPECT_EQ(wait(first), "noop") << "a guess";
  const auto repeat = play("m", "((take 3) noop)");
  EXPECT_EQ(repeat->replies, 0);
  const auto next = play("m", "(noop (take 2))");
  EXPECT_EQ(repeat->replies, 1);
  EXPECT_EQ(repeat->text, "noop");
  EXPECT_EQ(next->replies, 0);
  faults->legal = Faults::Kind::None;
  faults->release = true;
  EXPECT_EQ(wait(next), "noop");
  EXPECT_TRUE(until([&] { return status().step == 2; })) << log.str();
  EXPECT_FALSE(logged("missed")) << log.str();
  EXPECT_FALSE(logged("illegal")) << log.str();
  EXPECT_FALSE(logged("without waiting")) << log.str();
}

TEST_F(PlayerTable, ARepeatWhileTheFirstIsPendingGetsTheSameReply) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  script->play(patient());
  const auto first = thinking_play("m", "((take 3) noop)");
  const auto second = play("m", "((take 3) noop)");
  time.advance(s(1));
  EXPECT_EQ(first->replies + second->replies, 0);
  ASSERT_TRUE(until([&] {
    time.advance(s(15));
    return first->replies > 0 && second->replies > 0;
  }));
  EXPECT_EQ(wait(first), "( Take 3 )");
  EXPECT_EQ(wait(second), "( Take 3 )");
}

TEST_F(PlayerTable, ASecondNilWhileTheFirstIsPendingGetsTheSameReply) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const auto first = thinking_play("m", "nil");
  const auto second = play("m", "nil");
  EXPECT_EQ(second->replies, 0);
  time.advance(s(15));
  EXPECT_EQ(wait(first), "( Take 3 )");
  EXPECT_EQ(wait(second), "( Take 3 )");
}

TEST_F(PlayerTable, ANewTurnWhileTheLastIsPendingAnswersBoth) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const auto first = thinking_play("m", "nil");
  const auto second = play("m", "((take 1) noop)");
  EXPECT_EQ(first->replies, 1);
  EXPECT_EQ(wait(second), "noop");
  EXPECT_TRUE(logged("continued without waiting")) << log.str();
}

TEST_F(PlayerTable, NoLegalMoveIsNilAndLogged) {
  const std::string rules = R"(((role a) (role b) (init (step 1)) (legal b wait)
    (<= (legal a go) (true (step 1))) (<= (next (step 2)) (true (step 1)))
    (<= (next (step 2)) (true (step 2))) (<= terminal (true (step 3))) (goal a 0) (goal b 0)))";
  begin_match("m", "a", rules);
  EXPECT_EQ(wait(play("m", "nil")), "go");
  EXPECT_EQ(wait(play("m", "(go wait)")), "nil");
  EXPECT_TRUE(logged("no legal move")) << log.str();
  EXPECT_TRUE(until_logged("flaw of the game")) << log.str();
}

TEST_F(PlayerTable, AFlawIsLoggedOnce) {
  const std::string rules = R"(((role a) (role b) (init (step 1)) (legal b wait) (legal b go)
    (<= (next (step 1)) (does b wait)) (<= (next (step 2)) (does b go))
    (<= terminal (true (step 3))) (goal a 0) (goal b 0)))";
  begin_match("m", "b", rules);
  EXPECT_EQ(wait(play("m", "nil")), "wait");
  ASSERT_TRUE(until_logged("flaw of the game")) << log.str();
  EXPECT_EQ(wait(play("m", "nil")), "wait");
  EXPECT_EQ(times_logged("flaw of the game"), 1) << log.str();
}

TEST_F(PlayerTable, StopOfOwnMatchIsDoneAndLogsTheGoals) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  EXPECT_EQ(stop("m", "((take 3) noop)")->text, "done");
  EXPECT_TRUE(until_logged("a=70 b=30")) << log.str();
  EXPECT_EQ(stop("m", "nil")->text, "busy");
}

TEST_F(PlayerTable, AbortDuringASearchIsAborted) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  const auto pending = thinking_play("m", "nil");
  EXPECT_EQ(abort("m")->text, "aborted");
  EXPECT_EQ(pending->replies, 1);
  EXPECT_TRUE(until([&] { return script->running == 0; }));
  EXPECT_EQ(info(), kAvailable);
}

TEST_F(PlayerTable, AbortDuringStartAnswersIt) {
  script->play(patient());
  const auto pending = start("m", "a", kTurns);
  EXPECT_EQ(abort("m")->text, "aborted");
  EXPECT_EQ(pending->replies, 1);
  time.advance(s(100));
  EXPECT_EQ(pending->replies, 1);
}

TEST_F(PlayerTable, TwoMatchesAtOnce) {
  options.matches = 2;
  begin_match("one", "a", kTurns);
  EXPECT_EQ(info(), kAvailable);
  begin_match("two", "b", kTurns);
  EXPECT_EQ(info(), kIsBusy);
  EXPECT_EQ(start("three", "a", kTurns)->text, "busy");
  const auto one = play("one", "nil");
  const auto two = play("two", "nil");
  EXPECT_EQ(wait(one), "( Take 3 )");
  EXPECT_EQ(wait(two), "noop");
  EXPECT_EQ(player->matches().size(), 2u);
}

TEST_F(PlayerTable, OddMatchIdsAreJustIds) {
  const std::string id = std::string("../../etc/passwd\n\x1b[31m") + std::string(5000, 'x');
  begin_match(id, "a", kTurns);
  EXPECT_EQ(wait(play(id, "nil")), "( Take 3 )");
  EXPECT_EQ(stop(id, "nil")->text, "done");
  EXPECT_FALSE(logged("\x1b")) << log.str();
}

TEST_F(PlayerTable, AReplacedMoveIsLoggedAndAdopted) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "noop");
  EXPECT_TRUE(logged("replaced our ( Take 3 ) by ( Take 1 )")) << log.str();
}

TEST_F(PlayerTable, AnIllegalJointMoveIsAnsweredFromTheLastGoodState) {
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(play("m", "(hold banana)")), "show");
  EXPECT_TRUE(logged("illegal joint move: not a move of this game: banana")) << log.str();
  EXPECT_EQ(wait(play("m", "(hold)")), "show");
  EXPECT_TRUE(logged("1 moves for 2 roles")) << log.str();
  EXPECT_EQ(wait(play("m", "(hold even)")), "show");
  EXPECT_TRUE(logged("b can't make the move even")) << log.str();
  EXPECT_EQ(wait(play("m", "(hold hold)")), "show");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 1; })) << log.str();
}

TEST_F(PlayerTable, AMissedTurnIsGuessed) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  // The PLAY with ((take 3) noop) has been lost.
  EXPECT_EQ(wait(play("m", "(noop (take 2))")), "( Take 3 )");
  EXPECT_TRUE(logged("must have been missed")) << log.str();
  EXPECT_FALSE(logged("the host replaced")) << log.str();
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
}

TEST_F(PlayerTable, StatusTellsRoleStepAndThinking) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  wait(play("m", "((take 3) noop)"));
  wait(play("m", "(noop (take 3))"));
  const auto matches = player->matches();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].match_id, "m");
  EXPECT_EQ(matches[0].role, "a");
  EXPECT_EQ(matches[0].step, 2u);
  EXPECT_EQ(matches[0].thinking, "( Take 3 ) value 75.0; as the test wants");
}

TEST_F(PlayerTable, DiagnosticsOfTheRulesAreLogged) {
  const std::string rules = R"(((role a) (init x) (legal a m) (next x) (<= terminal (true y))
    (goal a 0) (<= (p ?x) (q ?y))))";
  begin_match("m", "a", rules);
  EXPECT_TRUE(until_logged("m:")) << log.str();
}

TEST_F(PlayerTable, ASecondRoleOfAMatchIsRefusedAndTheFirstIsPlayed) {
  begin_for_two_roles("m");
  for (int turn = 0; turn < 6; ++turn) play_twice("m", turn);
  ASSERT_TRUE(until([&] { return player->matches().at(0).step == 5; })) << status().step;
  EXPECT_EQ(stop("m", "(show hold)")->text, "done");
  EXPECT_EQ(stop("m", "(show hold)")->text, "busy");
}

TEST_F(PlayerTable, AnIdMayBeUsedAgainForAnotherRoleOnceTheMatchIsUnderWay) {
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(start("m", "b", kHands)), "ready");
  EXPECT_EQ(status().role, "b");
}

}  // namespace
}  // namespace ludens::agent
