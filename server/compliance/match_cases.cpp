// SPDX-License-Identifier: MIT
// Messages of a match (server/PROTOCOL.md, "Messages"), in matches of a few moves.
#include "server/compliance/test_match.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;
using Verdict = Outcome::Verdict;

std::chrono::milliseconds start_clock(const Trial& trial) {
  return std::chrono::seconds(trial.start_clock_seconds);
}

Outcome over(const TestMatch& match) {
  return skipped(match.start(), "the match is over after one move");
}

/// Sends one PLAY twice: the reply must be the same.
Outcome repeated_play(Trial& trial, TestMatch& match) {
  const Talk first = match.play();
  const Outcome outcome = expect(first, {match.is_legal()});
  if (outcome.verdict != Verdict::Passed) return outcome;
  const Talk again = trial.peer.ask(match.play_message(), match.play_clock());
  return expect(again, {says(gdl::fold_case(normal_text(first.result.body)))});
}

Outcome start(Trial& trial) {
  const TestMatch match(trial);
  return match.ready() ? expect(match.start(), {says("ready")}) : match.not_ready();
}

Outcome start_again(Trial& trial) {
  const TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  return expect(trial.peer.ask(match.start_message(), start_clock(trial)), {says("ready")});
}

Outcome info_in_match(Trial& trial) {
  const TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  return expect(trial.peer.ask("( INFO )"), {is_info("busy")});
}

Outcome preview_in_match(Trial& trial) {
  const TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  return expect(trial.peer.ask(preview_text(trial.game.description, trial.start_clock_seconds)),
                {says("busy")});
}

Outcome second_match(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  {
    const TestMatch other(trial);
    if (other.ready()) return skipped(other.start(), "the player takes several matches");
    const Outcome outcome = expect(other.start(), {says("busy")});
    if (outcome.verdict != Verdict::Passed) return outcome;
  }
  return match.play_on(1);
}

Outcome first_play(Trial& trial) {
  TestMatch match(trial);
  return match.ready() ? match.play_on(1) : match.not_ready();
}

Outcome moves(Trial& trial) {
  TestMatch match(trial);
  return match.ready() ? match.play_on(4) : match.not_ready();
}

Outcome first_play_again(Trial& trial) {
  TestMatch match(trial);
  return match.ready() ? repeated_play(trial, match) : match.not_ready();
}

Outcome later_play_again(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const Outcome outcome = match.play_on(1);
  if (outcome.verdict != Verdict::Passed) return outcome;
  if (match.position().terminal()) return over(match);
  if (match.joint_is_legal()) {
    return skipped(match.start(), "in this game a repeated PLAY looks like the next one");
  }
  return repeated_play(trial, match);
}

Outcome empty_list(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  return expect(trial.peer.ask("( play " + match.id() + " ( ) )", match.play_clock()),
                {match.is_legal()});
}

/// The host made another move for the player, as after a timeout.
Outcome replaced_move(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const Talk answer = match.play();
  const Outcome outcome = expect(answer, {match.is_legal()});
  if (outcome.verdict != Verdict::Passed) return outcome;
  if (!match.advance_without(answer)) return skipped(answer, "there is no other move");
  if (match.position().terminal()) return over(match);
  return match.play_on(2);
}

Outcome illegal_joint_move(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const Outcome outcome = match.play_on(1);
  if (outcome.verdict != Verdict::Passed) return outcome;
  if (match.position().terminal()) return over(match);
  const std::vector<std::string> nonsense(match.position().roles(), "( no such move )");
  const Talk answer = trial.peer.ask(play_text(match.id(), nonsense), match.play_clock());
  if (answer.result.kind != ExchangeResult::Kind::Reply)
    return failed(answer, "something is answered in time");
  return match.play_on(1);
}

Outcome in_capitals(Trial& trial) {
  TestMatch match(trial, shouted(trial.game), Dialect::Dresden);
  return match.ready() ? match.play_on(2) : match.not_ready();
}

Outcome stop(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  Outcome outcome = match.play_on(1);
  if (outcome.verdict != Verdict::Passed) return outcome;
  match.ended();
  outcome = expect(trial.peer.ask(match.stop_message()), {says("done")});
  if (outcome.verdict != Verdict::Passed) return outcome;
  outcome = expect(trial.peer.ask(match.play_message()), {says("busy")});
  if (outcome.verdict != Verdict::Passed) return outcome;
  return expect(trial.peer.ask("( INFO )"), {is_info("available")});
}

Outcome abort(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  match.ended();
  const Outcome outcome = expect(trial.peer.ask(abort_text(match.id())), {says("aborted")});
  if (outcome.verdict != Verdict::Passed) return outcome;
  return expect(trial.peer.ask("( INFO )"), {is_info("available")});
}

Outcome wild_id(Trial& trial) {
  Trial wild = trial;
  wild.id_prefix = "../../" + trial.id_prefix + "/%00$x\\'\"&<b>";
  TestMatch match(wild);
  return match.ready() ? match.play_on(1) : match.not_ready();
}

constexpr Case kCases[] = {
    {"start", "START: ready, within the start clock", start},
    {"start-again", "the same START again: the same answer", start_again},
    {"info-in-match", "INFO during a match: busy", info_in_match},
    {"preview-in-match", "PREVIEW during a match: busy", preview_in_match},
    {"second-match", "a second START: busy, and the match goes on", second_match},
    {"first-play", "PLAY NIL: a legal move, in time, spelled as in START", first_play},
    {"moves", "four moves in a row: legal and in time", moves},
    {"first-play-again", "the first PLAY again: the same reply", first_play_again},
    {"later-play-again", "a later PLAY again: the same reply", later_play_again},
    {"empty-list", "( ) stands for 'no moves'", empty_list},
    {"replaced-move", "the host has replaced the player's move", replaced_move},
    {"illegal-joint-move", "a joint move that is not legal is survived", illegal_joint_move},
    {"in-capitals", "a match all in capitals, framed as Dresden does", in_capitals},
    {"stop", "STOP: done; the match is over, the player free", stop},
    {"abort", "ABORT: aborted; the player is free", abort},
    {"wild-id", "a match id that is no file name", wild_id},
};

}  // namespace

std::span<const Case> match_cases() {
  return kCases;
}

}  // namespace ludens::server
