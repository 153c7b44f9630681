// SPDX-License-Identifier: MIT
// A player that follows a script of the test, and remembers what it was asked.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/match/answers.h"
#include "server/match/match_player.h"

namespace ludens::server {

inline Answer failed_answer(Answer::Kind kind) {
  return missing_answer(kind, {}, "told to fail");
}

/// Answers PLAY number n (from 0) with `script(n)`; a script that returns nullopt never answers.
class ScriptedPlayer final : public MatchPlayer {
 public:
  using Script = std::function<std::optional<Answer>(std::size_t)>;

  ScriptedPlayer(boost::asio::io_context& context, Script script, std::vector<std::string>& log)
      : context_(context), script_(std::move(script)), log_(log) {}

  [[nodiscard]] std::string name() const override { return "scripted"; }

  void preview(const ToldGame& game, int /*seconds*/, TimePoint /*deadline*/, Done done) override {
    reply("PREVIEW " + game.description(), text_answer("ready"), std::move(done));
    if (on_preview) on_preview();
  }
  void start(const MatchInvitation& invitation, TimePoint /*deadline*/, Done done) override {
    invitation_ = invitation;
    reply("START " + invitation.role, start_answer, std::move(done));
  }
  void play(const ToldTurn& turn, TimePoint /*deadline*/, Done done) override {
    const auto answer = script_(plays_++);
    if (answer) return reply("PLAY" + joined(turn), *answer, std::move(done));
    log_.push_back("PLAY" + joined(turn));
    if (on_silence) on_silence();
  }
  void stop(const ToldTurn& turn, TimePoint /*deadline*/, Done done) override {
    reply("STOP" + joined(turn), stop_answer, std::move(done));
  }
  void abort(const ToldTurn& turn, TimePoint /*deadline*/, Done done) override {
    reply("ABORT" + joined(turn), text_answer("aborted"), std::move(done));
  }

  [[nodiscard]] const MatchInvitation& invitation() const { return invitation_; }

  Answer start_answer = text_answer("ready");
  Answer stop_answer = text_answer("done");
  std::function<void()> on_preview;  // called when the rules are shown
  std::function<void()> on_silence;  // called when a PLAY is left without an answer

 private:
  /// The moves; where they are hidden, turn, own move and percepts.
  static std::string joined(const ToldTurn& turn) {
    std::string text;
    for (const ToldMove& move : turn.moves) text += " " + move.text;
    if (turn.own) text += " " + std::to_string(turn.number) + " " + turn.own->text + " sees";
    for (const ToldMove& percept : turn.percepts) text += " " + percept.text;
    return text;
  }

  void reply(std::string request, Answer answer, Done done) {
    log_.push_back(std::move(request));
    boost::asio::post(context_,
                      [answer = std::move(answer), done = std::move(done)] { done(answer); });
  }

  boost::asio::io_context& context_;
  Script script_;
  std::vector<std::string>& log_;
  std::size_t plays_ = 0;
  MatchInvitation invitation_;
};

}  // namespace ludens::server
