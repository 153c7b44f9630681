// One GGP player: answers the host's messages, on time, whatever its searches do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/player/message.h"
#include "agent/player/scheduler.h"
#include "gdl/machine/machine.h"
#include "search/registry/registry.h"

namespace spdlog {
class logger;
}

namespace ludens::agent {

struct PlayerOptions {
  std::string name = "Ludens";
  search::StrategySpec strategy{"auto", {}};
  unsigned threads = 1;  // shared out over the matches that run
  std::size_t memory_bytes = std::size_t{2} << 30;
  int margin_ms = 1000;  // a reply leaves this long before its clock ends
  unsigned matches = 1;  // capacity
  bool ponder = true;
  bool answer_forced_at_once = true;    // with one legal move, don't wait
  std::string journal_dir;              // empty: no journal; matches found there are taken up again
  std::uint64_t seed = 0;               // 0: from the system
  std::shared_ptr<spdlog::logger> log;  // null: nothing is logged; used on the I/O thread only
  /// Makes the strategy of a match; empty: `search::make_strategy` with `strategy`. Tests put
  /// doubles here.
  std::function<std::unique_ptr<search::Strategy>(const search::Resources&)> make_strategy;
  /// Makes the machine of a match; empty: `gdl::make_interpreter`.
  std::function<std::shared_ptr<const gdl::Machine>(std::shared_ptr<gdl::Vocabulary>)> make_machine;
};

/// What runs, for pages and INFO.
struct MatchStatus {
  std::string match_id;
  std::string role;
  std::size_t step = 0;
  std::string thinking;              // the strategy's last choice, as a line of text
  std::optional<std::size_t> legal;  // how many moves we have in the present turn, once known
  bool dead = false;  // nothing has come for so long that a new START takes its place
};

/// All calls on the I/O thread. A reply function is called exactly once, on the I/O thread, at the
/// latest at first byte + clock - margin; the text is the body of the HTTP reply (`ready`, `( mark
/// 1 1 )`, `busy`, ...). Destruction answers what is still to be answered, ends all searches and
/// waits for their threads, less than a second: a strategy that has not returned by then keeps its
/// thread and what the thread shares (nothing of the player) until it returns or the process ends.
class Player {
 public:
  using Reply = std::function<void(std::string)>;

  Player(PlayerOptions options, Clock& clock, Scheduler& scheduler);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// `first_byte`: when the request's first byte arrived.
  void handle(const Message& message, TimePoint first_byte, Reply reply);
  [[nodiscard]] std::vector<MatchStatus> matches() const;
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
