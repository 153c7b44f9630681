// SPDX-License-Identifier: MIT
// One GGP player: answers the host's messages, on time, whatever its searches do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/message/message.h"
#include "agent/session/match_status.h"
#include "agent/session/options.h"
#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// All calls must be on the I/O thread. A reply function is called exactly once, on the I/O thread,
/// at the latest at first byte + clock - margin; the text is the body of the HTTP reply (`ready`,
/// `( mark 1 1 )`, `busy`, ...). The destructor answers all open messages, ends all searches and
/// waits for their threads for less than a second. A strategy that has not returned by then keeps
/// its thread and the data that the thread shares (nothing of the player) until it returns or the
/// process ends.
class Player {
 public:
  Player(PlayerOptions options, Clock& clock, Scheduler& scheduler);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// `first_byte`: when the request's first byte arrived.
  void handle(const Message& message, TimePoint first_byte, Reply reply, const Sender& from = {});
  /// All matches that have a place, also those whose START waits for memory.
  [[nodiscard]] std::vector<MatchStatus> matches() const;
  /// Whether there is a place for one more match of a host: what INFO tells it.
  [[nodiscard]] bool available(const std::string& peer) const;
  /// The address that sent the START of a match, also if an earlier process got it; empty if it is
  /// not known. nullopt if no match of that name has a place, waits for one, or is remembered for
  /// its first PLAY.
  [[nodiscard]] std::optional<std::string> owner(const std::string& match_id) const;
  /// The current turn of a running match; nothing is known about others.
  [[nodiscard]] MatchView view(const std::string& match_id) const;
  /// Accepts no more matches; calls `done`, on the I/O thread, when the open replies have left:
  /// that to a START immediately, that to a PLAY within a second. Journals stay for the next
  /// process.
  void shut_down(std::function<void()> done);

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::agent
