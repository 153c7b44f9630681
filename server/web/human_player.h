// SPDX-License-Identifier: MIT
// A person in front of a browser as a player of a match.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "server/match/match_player.h"
#include "server/web/match_feed.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Offers the legal moves on the feed's page and waits for one of them. A person has `clock` for a
/// move, whatever the match's play clock is. If there is no choice, the move is made immediately.
/// The match must not be scrambled.
class HumanPlayer final : public MatchPlayer {
 public:
  HumanPlayer(MatchFeed& feed, boost::asio::io_context& context, std::size_t role,
              std::chrono::milliseconds clock);
  ~HumanPlayer() override;

  /// Sets the choices for the next call of `play`: by name, and as GameDocument::move_json. On the
  /// match's thread.
  void offer(const std::string& match_id, std::size_t step, std::vector<std::string> moves,
             boost::json::array moves_json);

  [[nodiscard]] std::string name() const override { return "human"; }
  [[nodiscard]] bool human() const override { return true; }
  void preview(const ToldGame& game, int seconds, TimePoint deadline, Done done) override;
  void start(const MatchInvitation& invitation, TimePoint deadline, Done done) override;
  void play(const ToldTurn& turn, TimePoint deadline, Done done) override;
  void follow(const ToldTurn& turn, TimePoint deadline, Done done) override;
  void stop(const ToldTurn& turn, TimePoint deadline, Done done) override;
  void abort(const ToldTurn& turn, TimePoint deadline, Done done) override;

 private:
  class Chair;
  std::shared_ptr<Chair> chair_;
};

}  // namespace ludens::server
