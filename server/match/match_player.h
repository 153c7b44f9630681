// SPDX-License-Identifier: MIT
// The host's view of a player: built in, remote, or a person.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/match/told_game.h"

namespace ludens::server {

using TimePoint = std::chrono::steady_clock::time_point;

/// Why an answer did not arrive, in more detail than the codes of hosts.
enum class Trouble : std::uint8_t {
  None,
  Late,        // not a byte in time
  Unfinished,  // an answer that had begun, but was not complete in time
  Refused,     // no connection
  Dropped,     // a connection without a reply, or with one that is not HTTP, or reports an error
};

/// What came back for one request, and how long it took.
struct Answer {
  enum class Kind { Text, Move, TimedOut, ConnectionFailed, Resigned };
  Kind kind = Kind::Text;
  Trouble trouble = Trouble::None;  // None if something arrived
  std::string text;                 // Text: the body, as sent
  std::vector<std::uint32_t> move;  // Move: a ground term of the rules that the player got
  std::string problem;              // for people, if nothing arrived
  double latency_ms = 0;            // from connect to the last byte
  /// A built-in player's report on its thinking: the goal that it expects.
  std::optional<double> value;
  /// And the goal that it has proved it will get, whatever the others do, if it is more than 0.
  std::optional<double> sure;
  /// And the goal that it could have been sure of, if it gave that up for a better mean.
  std::optional<double> risked;
};

/// What a player must know about the match to which it is invited.
struct MatchInvitation {
  std::string match_id;
  std::string role;  // in the words of the game as the player gets it
  std::shared_ptr<const ToldGame> game;
  int start_clock_seconds = 0;
  int play_clock_seconds = 0;
};

/// Requests are made one at a time, on the match's thread; each calls `done` exactly once, on that
/// thread, never from within the call, and at the latest at the deadline (people have a clock of
/// their own: human_player.h). Only `abort` may come while another request is open.
class MatchPlayer {
 public:
  using Done = std::function<void(Answer)>;
  virtual ~MatchPlayer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool human() const { return false; }
  virtual void preview(const ToldGame& game, int seconds, TimePoint deadline, Done done) = 0;
  virtual void start(const MatchInvitation& invitation, TimePoint deadline, Done done) = 0;
  virtual void play(const ToldTurn& turn, TimePoint deadline, Done done) = 0;
  /// Like `play`, but the host has drawn the next move for the player: the answer is ignored. By
  /// default the player is still asked.
  virtual void follow(const ToldTurn& turn, TimePoint deadline, Done done) {
    play(turn, deadline, std::move(done));
  }
  virtual void stop(const ToldTurn& turn, TimePoint deadline, Done done) = 0;
  /// The match is broken off after this turn.
  virtual void abort(const ToldTurn& turn, TimePoint deadline, Done done) = 0;
};

}  // namespace ludens::server
