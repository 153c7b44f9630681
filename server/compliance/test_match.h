// SPDX-License-Identifier: MIT
// A match of the test game, as far as a case needs one.
#pragma once

#include <string>
#include <vector>

#include "server/compliance/expectation.h"
#include "server/game/position.h"
#include "server/player/protocol.h"

namespace ludens::server {

/// Begins with START; ends with ABORT, unless START is refused or a case has ended it. Other roles
/// make their first legal move. If the game hides moves, the player gets its percepts.
class TestMatch {
 public:
  explicit TestMatch(Trial& trial) : TestMatch(trial, trial.game) {}
  TestMatch(Trial& trial, const TestGame& game, Dialect dialect = Dialect::GgpBase,
            PerceptForm percepts = PerceptForm::WithOwnMove);
  ~TestMatch();
  TestMatch(const TestMatch&) = delete;
  TestMatch& operator=(const TestMatch&) = delete;

  /// The START and its reply.
  [[nodiscard]] const Talk& start() const { return start_; }
  [[nodiscard]] bool ready() const;
  /// The result of a case that needs a match and has none.
  [[nodiscard]] Outcome not_ready() const;

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::string start_message() const;
  /// PLAY or STOP with the last joint move, or with the player's percepts of it; NIL before the
  /// first.
  [[nodiscard]] std::string play_message() const;
  [[nodiscard]] std::string stop_message() const;
  /// What the player is sent if moves are hidden.
  [[nodiscard]] OwnView view() const;
  [[nodiscard]] std::chrono::milliseconds play_clock() const;

  Peer::Pointer begin_play();
  Talk play() { return trial_.peer.wait(begin_play()); }
  /// PLAYs `count` moves, or to the end of the match; returns the outcome of the last one, or of
  /// the first that failed.
  Outcome play_on(int count);
  /// A move of the player's role, spelled as in START.
  [[nodiscard]] Expectation is_legal() const;

  /// Makes a joint move with the player's answer; false if that is not a legal move.
  bool advance(const Talk& answer);
  /// The same with another legal move instead of the player's; false if there is none.
  bool advance_without(const Talk& answer);
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] gdl::RoleIndex role() const { return role_; }
  [[nodiscard]] bool joint_is_legal() const;
  void ended() { running_ = false; }

 private:
  bool advance_by(gdl::MoveId own);

  Trial& trial_;
  const TestGame game_;
  gdl::RoleIndex role_;
  Dialect dialect_;
  PerceptForm percepts_;
  std::string id_;
  Position position_;
  std::vector<std::string> joint_;
  Talk start_;
  bool running_ = true;
};

}  // namespace ludens::server
