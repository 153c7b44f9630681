// SPDX-License-Identifier: MIT
// What must not hurt a player.
#include "server/compliance/expectation.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

/// The player refuses the bytes and continues to answer.
Outcome refused(Trial& trial, std::string sent, std::string bytes, bool end = false) {
  Exchange exchange = trial.peer.bytes({{std::move(bytes), 0ms}}, 20s);
  exchange.end_after_sending = end;
  const Outcome outcome =
      expect(trial.peer.exchange(std::move(sent), std::move(exchange)), {is_refused()});
  if (outcome.verdict != Outcome::Verdict::Passed) return outcome;
  const Talk after = trial.peer.ask("( INFO )");
  return is_info()(after.result) ? expect(after, {is_info()}) : outcome;
}

Outcome malformed(Trial& trial, const std::string& text) {
  return refused(trial, text, post_request(trial.peer.address(), {}, text));
}

Outcome garbage(Trial& trial) {
  std::string bytes;
  for (int i = 0; i < 2000; ++i) bytes += static_cast<char>((i * 7919 + 13) % 256);
  return refused(trial, "2000 bytes of garbage", bytes, true);
}

Outcome unbalanced(Trial& trial) {
  return malformed(trial, "( PLAY m ( ( a");
}
Outcome unknown_message(Trial& trial) {
  return malformed(trial, "( JUMP m )");
}
Outcome missing_arguments(Trial& trial) {
  return malformed(trial, "( START m )");
}
Outcome wrong_clock(Trial& trial) {
  return malformed(trial, "( START m x ( ( role x ) ) soon later )");
}
Outcome not_a_list(Trial& trial) {
  return malformed(trial, "hello");
}

Outcome deep_nesting(Trial& trial) {
  const std::string deep = std::string(1'000'000, '(') + std::string(1'000'000, ')');
  return refused(trial, "a million parentheses deep", post_request(trial.peer.address(), {}, deep));
}

Outcome large_body(Trial& trial) {
  return refused(trial, "Content-Length: 1099511627776",
                 "POST / HTTP/1.0\r\nContent-Length: 1099511627776\r\n\r\n( INFO )");
}

Outcome large_head(Trial& trial) {
  return refused(trial, "a head of a megabyte",
                 "POST / HTTP/1.0\r\nX: " + std::string(1 << 20, 'x') + "\r\n\r\n( INFO )");
}

/// A client that sends a byte from time to time is eventually answered or disconnected.
Outcome slow_request(Trial& trial) {
  std::vector<Piece> drip(300, Piece{"(", 100ms});
  drip[0] = {"POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n( ", 0ms};
  const Talk slow = trial.peer.exchange("a request of a byte each 100 ms, without end",
                                        trial.peer.bytes(std::move(drip), 30s));
  return expect(slow, {is_refused()});
}

Outcome many_slow_clients(Trial& trial) {
  const SlowClients slow(trial.peer, 50);
  trial.peer.pause(500ms);
  return expect(trial.peer.ask("( INFO )"), {is_info()});
}

/// Half a request and a closed connection, several times.
Outcome gone(Trial& trial) {
  for (int i = 0; i < 10; ++i) {
    (void)trial.peer.exchange("half a request",
                              trial.peer.bytes({{"POST / HTTP/1.0\r\nContent-Le", 0ms}}, 20ms));
  }
  return expect(trial.peer.ask("( INFO )"), {is_info()});
}

constexpr Case kCases[] = {
    {"garbage", "bytes that are not HTTP", garbage},
    {"unbalanced", "a message that does not end", unbalanced},
    {"unknown-message", "a message with an unknown name", unknown_message},
    {"missing-arguments", "a START without its arguments", missing_arguments},
    {"wrong-clock", "clocks that are no numbers", wrong_clock},
    {"not-a-list", "a body that is no list", not_a_list},
    {"deep-nesting", "a message nested a million deep", deep_nesting},
    {"large-body", "a body too large to be read", large_body},
    {"large-head", "a head too large to be read", large_head},
    {"slow-request", "a request that never ends", slow_request},
    {"many-slow-clients", "50 slow clients delay no other client", many_slow_clients},
    {"gone-clients", "clients that go away in the middle of a request", gone},
};

}  // namespace

std::span<const Case> bad_input_cases() {
  return kCases;
}

}  // namespace ludens::server
