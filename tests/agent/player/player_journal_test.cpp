// SPDX-License-Identifier: MIT
// A player that is killed in mid-match, and its successor.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/agent/machine_doubles.h"
#include "tests/agent/player/killed_player_test.h"
#include "tests/agent/stalled_file.h"

namespace ludens::agent {
namespace {

namespace fs = std::filesystem;

/// Two roles in turn take one of six stones.
constexpr const char* kStones = R"((
  (role a) (role b) (init (control a)) (stone 1) (stone 2) (stone 3) (stone 4) (stone 5) (stone 6)
  (<= (init (free ?s)) (stone ?s))
  (<= (legal ?r (take ?s)) (true (control ?r)) (true (free ?s)))
  (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
  (<= (taken ?s) (does ?r (take ?s)))
  (<= (next (free ?s)) (true (free ?s)) (not (taken ?s)))
  (<= (next (control b)) (true (control a)))
  (<= (next (control a)) (true (control b)))
  (<= rest (true (free ?s))) (<= terminal (not rest)) (goal a 70) (goal b 30)))";

class PlayerJournal : public KilledPlayerTest {
 protected:
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(options.journal_dir)) {
      count += entry.path().extension() == ".journal";
    }
    return count;
  }
};

TEST_F(PlayerJournal, TheNextPlayIsAnsweredAsIfNothingHadHappened) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  crash();
  EXPECT_EQ(info(), kIsBusy);
  EXPECT_EQ(wait(play("m", "(noop (take 2))")), "( Take 3 )");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  EXPECT_EQ(stop("m", "(noop (take 1))")->text, "done");
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerJournal, ACrashBetweenReadyAndTheFirstPlay) {
  begin_match("m", "a", kTurns);
  crash();
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
}

TEST_F(PlayerJournal, RepeatsAreStillKnown) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "( Take 3 )");
  crash();
  const int calls = script->calls;
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_LE(script->calls, calls + 1);  // pondering
  EXPECT_EQ(wait(play("m", "(noop (take 3))")), "noop");
  EXPECT_EQ(player->matches().at(0).step, 2u);
}

TEST_F(PlayerJournal, AStartThatComesAgainIsReady) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  crash();
  EXPECT_EQ(wait(start("m", "a", kTurns)), "ready");
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
}

TEST_F(PlayerJournal, AHostThatBeginsAgainAfterwardsGetsANewMatch) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "( Take 3 )");
  crash();
  EXPECT_EQ(wait(start("m", "b", kTurns)), "ready");
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  crash();
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_TRUE(until([&] { return status().step == 1; })) << log.str();
}

TEST_F(PlayerJournal, AStartWithAChangedRoleBeginsAnew) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  crash();
  EXPECT_EQ(wait(start("m", "b", kTurns)), "ready");
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  crash();
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
}

TEST_F(PlayerJournal, ACrashDuringASearchCostsOnlyThatAnswer) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  thinking_play("m", "nil");
  ASSERT_TRUE(until([&] { return lines("m") == 2; }));
  crash();
  script->play(quick());
  EXPECT_EQ(wait(play("m", "((take 2) noop)")), "noop");  // the host chose for us
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 1; })) << log.str();
}

TEST_F(PlayerJournal, AnUnansweredPlayThatComesAgainIsThoughtAbout) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  script->play(patient());
  thinking_play("m", "((take 1) noop)");
  ASSERT_TRUE(until([&] { return lines("m") == 4; }));
  script->play(quick());
  crash();
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_EQ(player->matches().at(0).step, 1u);
}

TEST_F(PlayerJournal, ATornLastLineIsAsIfItHadNotBeenWritten) {
  begin_match("m", "b", kTurns);
  wait(play("m", "nil"));
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  fs::resize_file(file("m"), fs::file_size(file("m")) - 5);
  crash();
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "( Take 3 )");
  EXPECT_EQ(wait(play("m", "(noop (take 3))")), "noop");
}

TEST_F(PlayerJournal, SeveralCrashesInOneMatch) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  crash();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  crash();
  EXPECT_EQ(wait(play("m", "(noop (take 1))")), "( Take 3 )");
  crash();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
}

TEST_F(PlayerJournal, ACrashOnTheHeelsOfAnotherLosesNothing) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  crash();
  crash();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
}

TEST_F(PlayerJournal, IllegalJointMovesAreSkippedTheSameWay) {
  begin_match("m", "a", kHands);
  wait(play("m", "nil"));
  wait(play("m", "(hold banana)"));
  wait(play("m", "(hold show)"));
  crash();
  EXPECT_EQ(wait(play("m", "(show show)")), "show");
  EXPECT_TRUE(until([&] { return player->matches().at(0).step == 2; })) << log.str();
}

TEST_F(PlayerJournal, AMissedTurnIsGuessedTheSameWay) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  // The PLAY with ((take 6) noop) has been lost.
  EXPECT_EQ(wait(play("m", "(noop (take 5))")), "( take 4 )");
  crash();
  EXPECT_EQ(wait(play("m", "((take 4) noop)")), "noop");
  EXPECT_EQ(wait(play("m", "(noop (take 1))")), "( take 3 )");
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerJournal, SoIsALaterOne) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  EXPECT_EQ(wait(play("m", "((take 6) noop)")), "noop");
  EXPECT_EQ(wait(play("m", "(noop (take 5))")), "( take 4 )");
  // The PLAY with ((take 4) noop) has been lost.
  EXPECT_EQ(wait(play("m", "(noop (take 1))")), "( take 3 )");
  ASSERT_TRUE(until([&] { return status().step == 4; })) << log.str();
  crash();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
  EXPECT_TRUE(until([&] { return status().step == 5; })) << log.str();
  EXPECT_EQ(times_logged("must have been missed"), 2) << "in each of the two lives";
}

TEST_F(PlayerJournal, SoIsOneForWhichMoreIsTriedAlthoughTheHostWaits) {
  const auto faults = std::make_shared<Faults>();
  options.make_machine = [faults](std::shared_ptr<gdl::Vocabulary> vocabulary) {
    return make_faulty_machine(std::move(vocabulary), faults);
  };
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  EXPECT_EQ(wait(play("m", "((take 6) noop)")), "noop");
  // The PLAY with the move of b has been lost, and the host has chosen for us.
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "noop");
  ASSERT_TRUE(until([&] { return status().step == 3; })) << log.str();
  faults->legal = Faults::Kind::Deaf;
  crash();
  ASSERT_TRUE(until([&] { return faults->stuck > 0; }));
  const auto got = play("m", "(noop (take 3))");
  faults->legal = Faults::Kind::None;
  faults->release = true;
  EXPECT_EQ(wait(got), "( take 5 )");
  EXPECT_TRUE(until([&] { return status().step == 4; })) << log.str();
}

TEST_F(PlayerJournal, ATurnMissedAroundACrashIsGuessedFromOurAnswer) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  crash();
  EXPECT_EQ(wait(play("m", "(noop (take 5))")), "( take 4 )");
  EXPECT_TRUE(logged("must have been missed")) << log.str();
}

TEST_F(PlayerJournal, TurnsMissedAroundACrashAreFoundByAnAnswerThatDidNotFollow) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  crash();
  // Both a and b have taken a stone, and the host has chosen for a; this alone would be legal, too.
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "noop");
  EXPECT_TRUE(until([&] { return status().step == 3; })) << log.str();
  EXPECT_TRUE(logged("must have been missed")) << log.str();
  EXPECT_NE(wait(play("m", "(noop (take 2))")), "( take 6 )") << "it was taken";
  EXPECT_TRUE(until([&] { return status().step == 4; })) << log.str();
  EXPECT_FALSE(logged("illegal")) << log.str();
  crash();
  EXPECT_TRUE(until([&] { return status().step == 4; })) << log.str();
}

TEST_F(PlayerJournal, AGuessedPositionIsCorrectedByTheMovesThatFollow) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  crash();
  EXPECT_EQ(wait(play("m", "((take 1) noop)")), "noop");
  const std::string answer = wait(play("m", "(noop (take 2))"));
  EXPECT_TRUE(until([&] { return status().step == 4; })) << log.str();
  ASSERT_THAT(answer, testing::AnyOf("( take 3 )", "( take 4 )", "( take 5 )"));
  // What b had taken meanwhile was just that, so that the host has replaced the answer.
  const std::string other = answer == "( take 3 )" ? "(take 4)" : "(take 3)";
  EXPECT_EQ(wait(play("m", "(" + other + " noop)")), "noop");
  EXPECT_TRUE(until([&] { return status().step == 5; })) << log.str();
  const std::string last = answer == "( take 5 )" ? "( take 4 )" : "( take 5 )";
  const std::string left = "take " + std::string(1, last[7]);
  EXPECT_EQ(stop("m", "(noop (" + left + "))")->text, "done");
  EXPECT_TRUE(until_logged(" over, ")) << log.str();
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerJournal, AnAnswerThatFollowedIsProofThatNoTurnWasMissed) {
  begin_match("m", "a", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "( take 6 )");
  crash();
  script->play(proving());
  EXPECT_EQ(wait(play("m", "((take 6) noop)")), "noop");
  EXPECT_EQ(wait(play("m", "(noop (take 2))")), "( take 5 )");
  EXPECT_TRUE(until([&] { return status().step == 2; })) << log.str();
  EXPECT_NE(status().thinking.find("exact"), std::string::npos) << status().thinking;
  EXPECT_FALSE(logged("missed")) << log.str();
}

TEST_F(PlayerJournal, NothingIsProvedWhereSeveralNumbersOfMissedTurnsFit) {
  begin_match("m", "b", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  crash();
  script->play(proving());
  // The move of a that is awaited, or the one after it.
  const auto got = play("m", "((take 1) noop)");
  EXPECT_EQ(wait(got), "( take 6 )");
  EXPECT_TRUE(until([&] { return status().step == 1; })) << log.str();
  EXPECT_EQ(status().thinking.find("exact"), std::string::npos) << status().thinking;
  EXPECT_NE(status().thinking.find("guessed position"), std::string::npos) << status().thinking;
  EXPECT_FALSE(player->view("m").exact);
}

TEST_F(PlayerJournal, AfterALongSilenceItIsLikelyThatTurnsWereMissed) {
  begin_match("m", "b", kStones);
  EXPECT_EQ(wait(play("m", "nil")), "noop");
  crash(s(40));
  EXPECT_NE(wait(play("m", "((take 1) noop)")), "");
  EXPECT_TRUE(until([&] { return status().step == 3; })) << log.str();
  crash();
  EXPECT_TRUE(until([&] { return status().step == 3; })) << log.str();
}

TEST_F(PlayerJournal, AMatchWithoutAPlaceMayHaveMissedTurns) {
  begin_match("one", "a", kTurns);
  EXPECT_EQ(start("two", "a", kStones)->text, "busy");
  EXPECT_EQ(play("two", "nil")->text, "busy");
  EXPECT_EQ(play("two", "((take 3) noop)")->text, "busy");
  EXPECT_EQ(abort("one")->text, "aborted");
  EXPECT_TRUE(wait(play("two", "(noop (take 2))")).starts_with("( take "));
  EXPECT_TRUE(until([&] { return status().step == 2; })) << log.str();
}

TEST_F(PlayerJournal, ASecondRoleOfTheMatchIsNotForgotten) {
  begin_for_two_roles("m");
  for (int turn = 0; turn < 6; ++turn) {
    play_twice("m", turn);
    if (turn == 2) crash();
  }
  ASSERT_TRUE(until([&] { return player->matches().at(0).step >= 5; })) << status().step;
  EXPECT_EQ(status().step, 5u) << log.str();
}

TEST_F(PlayerJournal, FinishedMatchesLeaveNothing) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(files(), 1u);
  stop("m", "nil");
  EXPECT_TRUE(until([&] { return files() == 0; }));
  begin_match("m", "a", kTurns);
  EXPECT_EQ(files(), 1u);
  abort("m");
  EXPECT_TRUE(until([&] { return files() == 0; }));
}

TEST_F(PlayerJournal, RefusedMatchesLeaveNothing) {
  wait(start("m", "nobody", kTurns));
  EXPECT_TRUE(until([&] { return files() == 0; }));
}

TEST_F(PlayerJournal, AnOrderlyEndKeepsTheMatch) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  player->shut_down([] {});
  time.run_posted();
  make_player();
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop");
}

TEST_F(PlayerJournal, MatchesBeyondTheCapacityWaitForTheirPlay) {
  options.matches = 2;
  begin_match("one", "a", kTurns);
  begin_match("two", "b", kTurns);
  options.matches = 1;
  crash();
  EXPECT_EQ(player->matches().size(), 1u);
  const std::string id = player->matches().at(0).match_id;
  const std::string other = id == "one" ? "two" : "one";
  EXPECT_EQ(play(other, "nil")->text, "busy");
  abort(id);
  EXPECT_EQ(wait(play(other, "nil")), other == "one" ? "( Take 3 )" : "noop");
}

TEST_F(PlayerJournal, OfThoseTheOnesHeardOfLastAreRemembered) {
  const std::vector<std::string> ids{"first", "second", "third", "fourth", "fifth", "sixth"};
  options.matches = 6;
  for (const std::string& id : ids) begin_match(id, "a", kTurns);
  player.reset();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    age_journal(file(ids[i]), std::chrono::minutes(i + 1));
  }
  options.matches = 1;
  make_player();
  EXPECT_EQ(player->matches().at(0).match_id, "first");
  EXPECT_EQ(abort("first")->text, "aborted");
  EXPECT_EQ(wait(play("second", "nil")), "( Take 3 )");
  EXPECT_EQ(abort("second")->text, "aborted");
  EXPECT_EQ(play("sixth", "nil")->text, "busy");
}

TEST_F(PlayerJournal, AMatchThatWasSilentForLongIsDeadWhenItIsResumed) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  crash(std::chrono::minutes(50));
  EXPECT_EQ(info(), kAvailable);
  EXPECT_TRUE(player->matches().at(0).dead);
  EXPECT_EQ(wait(play("m", "((take 3) noop)")), "noop") << "its host may come back";
  EXPECT_EQ(info(), kIsBusy);
  crash(std::chrono::minutes(50));
  EXPECT_EQ(wait(start("n", "b", kTurns)), "ready");
  EXPECT_EQ(play("m", "(noop (take 1))")->text, "busy");
}

TEST_F(PlayerJournal, AJournalOfRulesThatCantBePlayedIsDropped) {
  make_player();
  player.reset();
  {
    JournalledMatch match;
    match.match_id = "m";
    match.role = "nobody";
    match.start_clock_seconds = 30;
    match.play_clock_seconds = 15;
    match.description = kTurns;
    std::ofstream(file("m")) << journal_text(match);
  }
  make_player();
  EXPECT_TRUE(until_logged("not played")) << log.str();
  EXPECT_TRUE(until([&] { return files() == 0; }));
}

TEST_F(PlayerJournal, WithoutAFolderTheMatchIsPlayedWithOneWarning) {
  std::ofstream(options.journal_dir) << "in the way";
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  stop("m", "nil");
  begin_match("n", "a", kTurns);
  EXPECT_EQ(times_logged("warning journal"), 1) << log.str();
}

TEST_F(PlayerJournal, AFolderThatVanishesIsWarnedOfOnce) {
  make_player();
  fs::remove_all(options.journal_dir);
  begin_match("m", "a", kTurns);
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  stop("m", "nil");
  begin_match("n", "a", kTurns);
  wait(play("n", "nil"));
  EXPECT_EQ(times_logged("warning journal"), 1) << log.str();
}

TEST_F(PlayerJournal, AReplyDoesNotWaitForADiskThatStalls) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  StalledFile stalled(file("m"));
  const auto got = thinking_play("m", "nil");
  time.advance(s(14));
  EXPECT_EQ(got->replies, 0) << "the disk has the rest of a quarter of the margin";
  time.advance(s(1));
  EXPECT_EQ(got->replies, 1);
  EXPECT_EQ(got->text, "( Take 3 )");
  EXPECT_TRUE(logged("a reply leaves that the journal lacks")) << log.str();
}

TEST_F(PlayerJournal, TheLineOfAReplyIsOnDiskBeforeItLeaves) {
  begin_match("m", "a", kTurns);
  EXPECT_EQ(lines("m"), 1u) << "before ready";
  EXPECT_EQ(wait(play("m", "nil")), "( Take 3 )");
  EXPECT_EQ(lines("m"), 3u);
  EXPECT_FALSE(logged("the disk is slow")) << log.str();
}

TEST_F(PlayerJournal, ARepeatWaitsWithItsReply) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  StalledFile stalled(file("m"));
  const auto one = thinking_play("m", "nil");
  time.advance(s(14));
  const auto two = play("m", "nil");
  EXPECT_EQ(one->replies + two->replies, 0);
  stalled.release();
  EXPECT_EQ(wait(one), "( Take 3 )");
  EXPECT_EQ(two->text, "( Take 3 )");
}

TEST_F(PlayerJournal, AMatchThatEndsAnswersWhatWaitsForTheDisk) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  StalledFile stalled(file("m"));
  const auto got = thinking_play("m", "nil");
  time.advance(s(14));
  EXPECT_EQ(abort("m")->text, "aborted");
  EXPECT_EQ(got->replies, 1);
  EXPECT_EQ(got->text, "( Take 3 )");
}

TEST_F(PlayerJournal, TheEndWaitsForWhatWaitsForTheDisk) {
  begin_match("m", "a", kTurns);
  script->play(patient());
  StalledFile stalled(file("m"));
  const auto got = thinking_play("m", "nil");
  time.advance(s(14));
  bool done = false;
  player->shut_down([&] { done = true; });
  time.run_posted();
  EXPECT_FALSE(done);
  time.advance(s(1));
  EXPECT_EQ(got->replies, 1);
  EXPECT_TRUE(done);
}

TEST_F(PlayerJournal, ADamagedJournalIsRefusedWithAReason) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  player.reset();
  std::fstream(file("m"), std::ios::in | std::ios::out).seekp(40).put('#');
  make_player();
  EXPECT_TRUE(logged("line 1: its checksum is wrong")) << log.str();
  EXPECT_FALSE(logged("resumed from the journal")) << log.str();
  EXPECT_EQ(play("m", "((take 3) noop)")->text, "busy");
}

TEST_F(PlayerJournal, ATornLineIsToldWhenTheMatchIsResumed) {
  begin_match("m", "a", kTurns);
  wait(play("m", "nil"));
  fs::resize_file(file("m"), fs::file_size(file("m")) - 5);
  crash();
  EXPECT_TRUE(logged("after 1 turns, the last without a reply; its last line was incomplete"))
      << log.str();
}

TEST_F(PlayerJournal, AMatchBelongsToTheHostOfItsStartAfterACrash) {
  peer = "10.0.0.1";
  begin_match("m", "a", kTurns);
  EXPECT_EQ(player->owner("m"), "10.0.0.1");
  peer = "10.0.0.2";
  crash();
  EXPECT_EQ(player->owner("m"), "10.0.0.1");
  crash();
  EXPECT_EQ(player->owner("m"), "10.0.0.1") << "it is written again";
}

TEST_F(PlayerJournal, SoDoesOneBeyondTheCapacity) {
  options.matches = 2;
  peer = "10.0.0.1";
  begin_match("one", "a", kTurns);
  begin_match("two", "b", kTurns);
  options.matches = 1;
  crash();
  EXPECT_EQ(player->owner("one"), "10.0.0.1");
  EXPECT_EQ(player->owner("two"), "10.0.0.1");
  EXPECT_EQ(player->owner("three"), std::nullopt);
}

}  // namespace
}  // namespace ludens::agent
