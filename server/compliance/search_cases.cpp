// SPDX-License-Identifier: MIT
// What must be answered while the player thinks about a move.
#include "server/compliance/test_match.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;
using Verdict = Outcome::Verdict;

/// Disturbs a running PLAY with `disturb`. Its answer must be legal and in time nevertheless. The
/// disturbance must be over before that answer comes; otherwise the case proves nothing.
Outcome disturbed(Trial& trial, Outcome (*disturb)(Trial&)) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const Peer::Pointer play = match.begin_play();
  trial.peer.pause(100ms);
  if (play->done) return skipped(*play, "the player has answered before it could be disturbed");
  const Outcome outcome = disturb(trial);
  if (outcome.verdict != Verdict::Passed) return outcome;
  const bool thinking = !play->done;
  const Outcome move = expect(trial.peer.wait(play), {match.is_legal()});
  if (move.verdict != Verdict::Passed) return move;
  if (!thinking)
    return failed(*play, "the disturbance is answered before the move: " + outcome.sent);
  return outcome;
}

Outcome info(Trial& trial) {
  return disturbed(trial,
                   [](Trial& t) { return expect(t.peer.ask("( INFO )"), {is_info("busy")}); });
}

Outcome page(Trial& trial) {
  return disturbed(trial, [](Trial& t) {
    return expect(t.peer.exchange("GET /", t.peer.bytes({{"GET / HTTP/1.0\r\n\r\n", 0ms}})),
                  {has_status(200)});
  });
}

Outcome start(Trial& trial) {
  return disturbed(trial, [](Trial& t) {
    const TestMatch other(t);
    if (other.ready()) return skipped(other.start(), "the player takes several matches");
    return expect(other.start(), {says("busy")});
  });
}

Outcome preview(Trial& trial) {
  return disturbed(trial, [](Trial& t) {
    return expect(t.peer.ask(preview_text(t.game.description, 1)), {says("busy")});
  });
}

Outcome foreign_abort(Trial& trial) {
  return disturbed(
      trial, [](Trial& t) { return expect(t.peer.ask("( ABORT unheard.of )"), {says("busy")}); });
}

Outcome garbage(Trial& trial) {
  return disturbed(trial, [](Trial& t) {
    const std::string head = "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n";
    const Talk large = t.peer.exchange("Content-Length: 99999999999", t.peer.bytes({{head, 0ms}}));
    const Outcome outcome = expect(large, {is_refused()});
    if (outcome.verdict != Verdict::Passed) return outcome;
    return expect(t.peer.ask("( PLAY ( ("), {is_refused()});
  });
}

Outcome slow_clients(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const SlowClients slow(trial.peer, 50);
  trial.peer.pause(300ms);
  return expect(match.play(), {match.is_legal()});
}

Outcome gone_host(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const std::string text = match.play_message();
  const Talk left = trial.peer.exchange(text, trial.peer.message(text, 100ms));
  if (left.result.kind == ExchangeResult::Kind::Reply) {
    return skipped(left, "the player has answered before the host could go away");
  }
  return expect(trial.peer.ask(text, match.play_clock()), {match.is_legal()});
}

Outcome abort(Trial& trial) {
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  const Peer::Pointer play = match.begin_play();
  trial.peer.pause(100ms);
  if (play->done) return skipped(*play, "the player has answered before it could be disturbed");
  match.ended();
  const Outcome outcome = expect(trial.peer.ask(abort_text(match.id())), {says("aborted")});
  (void)trial.peer.wait(play);  // the host does not need the answer any more
  if (outcome.verdict != Verdict::Passed) return outcome;
  const Talk after = trial.peer.ask("( INFO )");
  return is_info("available")(after.result) ? expect(after, {is_info("available")}) : outcome;
}

/// A host that has lost its match starts another one, and asks for its moves.
Outcome start_after_abort(Trial& trial) {
  const Outcome outcome = abort(trial);
  if (outcome.verdict != Verdict::Passed) return outcome;
  TestMatch match(trial);
  if (!match.ready()) return match.not_ready();
  return expect(match.play(), {match.is_legal()});
}

constexpr Case kCases[] = {
    {"info-in-search", "INFO while the player thinks: busy, at once", info},
    {"page-in-search", "the page while the player thinks", page},
    {"start-in-search", "a second START while the player thinks: busy", start},
    {"preview-in-search", "PREVIEW while the player thinks: busy", preview},
    {"foreign-abort-in-search", "ABORT of another match does not end this one", foreign_abort},
    {"garbage-in-search", "bad requests while the player thinks", garbage},
    {"slow-clients-in-search", "PLAY in time while 50 slow clients hold connections", slow_clients},
    {"gone-host-in-search", "PLAY again after the host went away", gone_host},
    {"abort-in-search", "ABORT while the player thinks: aborted, at once", abort},
    {"start-after-abort", "the next match after an ABORT in search", start_after_abort},
};

}  // namespace

std::span<const Case> search_cases() {
  return kCases;
}

std::vector<Case> compliance_cases() {
  std::vector<Case> all;
  for (const auto part : {framing_cases(), bad_input_cases(), message_cases(), match_cases(),
                          hidden_cases(), search_cases()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ludens::server
