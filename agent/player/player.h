// SPDX-License-Identifier: MIT
// One GGP player: answers the host's messages, on time, whatever its searches do.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/message/message.h"
#include "agent/session/match_status.h"
#include "agent/session/options.h"
#include "agent/thread/scheduler.h"

namespace ludens::agent {

/// All calls on the I/O thread. A reply function is called exactly once, on the I/O thread, at the
/// latest at first byte + clock - margin; the text is the body of the HTTP reply (`ready`, `( mark
/// 1 1 )`, `busy`, ...). Destruction answers what is still to be answered, ends all searches and
/// waits for their threads, less than a second: a strategy that has not returned by then keeps its
/// thread and what the thread shares (nothing of the player) until it returns or the process ends.
class Player {
 public:
  Player(PlayerOptions options, Clock& clock, Scheduler& scheduler);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// `first_byte`: when the request's first byte arrived. `peer`: the address of the host, by which
  /// places are shared out; empty: it is not known.
  void handle(const Message& message, TimePoint first_byte, Reply reply,
              const std::string& peer = {});
  [[nodiscard]] std::vector<MatchStatus> matches() const;
  /// The present turn of a match that runs; of others nothing is known.
  [[nodiscard]] MatchView view(const std::string& match_id) const;
  /// Whether a START would be taken: what INFO says.
  [[nodiscard]] bool available() const;
  /// Takes no more matches; calls `done`, on the I/O thread, when the replies under way have left:
  /// that to a START at once, that to a PLAY within a second. Journals stay, for the next process.
  void shut_down(std::function<void()> done);

 private:
  class Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace ludens::agent
