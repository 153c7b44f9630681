// SPDX-License-Identifier: MIT
// Matches of a game with hidden information (server/PROTOCOL.md, "Hidden information").
#include "server/compliance/test_match.h"

namespace ludens::server {
namespace {

using Verdict = Outcome::Verdict;

/// A seeker looks into one of two places, where a hider hides at the same time; five times. It
/// hears whether it has found the hider, who hears where it has looked.
constexpr const char* kHideAndSeek =
    "(role seeker) (role hider) (place left) (place right) (init (turn 0)) (init (found 0))"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
    "(<= (legal seeker (look ?p)) (place ?p)) (<= (legal hider (hide ?p)) (place ?p))"
    "(<= hit (does seeker (look ?p)) (does hider (hide ?p)))"
    "(<= (sees seeker (found ?p)) (does seeker (look ?p)) (does hider (hide ?p)))"
    "(<= (sees hider (looked ?p)) (does seeker (look ?p)))"
    "(<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))"
    "(<= (next (found ?n)) (true (found ?m)) (succ ?m ?n) hit)"
    "(<= (next (found ?n)) (true (found ?n)) (not hit))"
    "(<= terminal (true (turn 5)))"
    "(<= (goal seeker 100) (true (found 5))) (<= (goal seeker 50) (not (true (found 5))))"
    "(goal hider 50)";

TestGame hide_and_seek() {
  return make_test_game(read_rulesheet("hide_and_seek", kHideAndSeek)).value();
}

Outcome start_hidden(Trial& trial) {
  const TestMatch match(trial, hide_and_seek());
  return match.ready() ? expect(match.start(), {says("ready")}) : match.not_ready();
}

Outcome with_turns(Trial& trial) {
  TestMatch match(trial, hide_and_seek());
  return match.ready() ? match.play_on(4) : match.not_ready();
}

Outcome without_turns(Trial& trial) {
  TestMatch match(trial, shouted(hide_and_seek()), Dialect::Dresden, PerceptForm::InPlaceOfMoves);
  return match.ready() ? match.play_on(4) : match.not_ready();
}

/// A turn that the player knows is sent again: the reply must be the same.
Outcome same_turn(Trial& trial) {
  TestMatch match(trial, hide_and_seek());
  if (!match.ready()) return match.not_ready();
  const Outcome outcome = match.play_on(1);
  if (outcome.verdict != Verdict::Passed) return outcome;
  const Talk first = match.play();
  const Talk again = trial.peer.ask(match.play_message(), match.play_clock());
  return expect(again, {says(gdl::fold_case(normal_text(first.result.body)))});
}

Outcome replaced_hidden(Trial& trial) {
  TestMatch match(trial, hide_and_seek());
  if (!match.ready()) return match.not_ready();
  const Talk answer = match.play();
  const Outcome outcome = expect(answer, {match.is_legal()});
  if (outcome.verdict != Verdict::Passed) return outcome;
  if (!match.advance_without(answer)) return skipped(answer, "there is no other move");
  return match.play_on(2);
}

/// Percepts that no rule gives.
Outcome impossible(Trial& trial) {
  TestMatch match(trial, hide_and_seek());
  if (!match.ready()) return match.not_ready();
  const Talk answer = match.play();
  Outcome outcome = expect(answer, {match.is_legal()});
  if (outcome.verdict != Verdict::Passed || !match.advance(answer)) return outcome;
  OwnView wrong = match.view();
  wrong.percepts = {"( found left )", "( found right )"};
  const std::string text = play_text(match.id(), wrong, PerceptForm::WithOwnMove);
  const Talk second = trial.peer.ask(text, match.play_clock());
  outcome = expect(second, {match.is_legal()});
  if (outcome.verdict != Verdict::Passed || !match.advance(second)) return outcome;
  return match.play_on(1);
}

Outcome stop_hidden(Trial& trial) {
  TestMatch match(trial, hide_and_seek());
  if (!match.ready()) return match.not_ready();
  const Outcome outcome = match.play_on(1);
  if (outcome.verdict != Verdict::Passed) return outcome;
  match.ended();
  return expect(trial.peer.ask(match.stop_message()), {says("done")});
}

constexpr Case kCases[] = {
    {"gdl2-start", "START of a game with hidden information: ready", start_hidden},
    {"gdl2-turns", "PLAY with turn, own move and percepts: legal and in time", with_turns},
    {"gdl2-percepts", "PLAY with percepts alone, as Dresden of 2011", without_turns},
    {"gdl2-same-turn", "the same turn again: the same reply", same_turn},
    {"gdl2-replaced-move", "the host tells another own move than was answered", replaced_hidden},
    {"gdl2-impossible", "percepts that can't be are survived", impossible},
    {"gdl2-stop", "STOP with turn, own move and percepts: done", stop_hidden},
};

}  // namespace

std::span<const Case> hidden_cases() {
  return kCases;
}

}  // namespace ludens::server
