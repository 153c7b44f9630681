// SPDX-License-Identifier: MIT
// The players of a tournament that are not strategies of this program: lent to matches, and
// maintained between them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/http/client.h"
#include "server/tournament/plan.h"
#include "server/tournament/player_process.h"
#include "server/tournament/probe.h"

namespace ludens::server {

/// A player lent to one role of one match.
struct Loan {
  std::size_t player = 0;    // index into the plan's players
  std::size_t instance = 0;  // which of its processes; of a remote player, which of its places
};

/// `can_lend`, `lend` and `give_back` must be called under the caller's lock; `open` and `revive`
/// take a while, and must not. The borrower of an instance maintains it, without the lock.
class PlayerPool {
 public:
  /// Outputs of commands go to files below `folder`. The plan must outlive the pool. After a stop
  /// request by `hurry`, processes get less time to end.
  PlayerPool(const TournamentPlan& plan, std::filesystem::path folder, std::stop_token hurry);
  /// Ends all processes at the same time.
  ~PlayerPool();
  PlayerPool(const PlayerPool&) = delete;
  PlayerPool& operator=(const PlayerPool&) = delete;

  struct Opening {
    std::vector<std::string> problems;  // about players that do not respond, one sentence each
    std::vector<std::string> warnings;  // about players that respond, but are busy
  };
  /// Starts the commands and asks all players whether they respond. Those that are busy count as
  /// blamed.
  Opening open(const std::stop_token& stop);

  /// Whether all of these can be lent at once, a player once for each time that it is named.
  /// Built-in players always can; nullopt is nobody.
  [[nodiscard]] bool can_lend(const std::vector<std::optional<std::size_t>>& players) const;
  Loan lend(std::size_t player);
  void give_back(const Loan& loan);
  /// Records that it failed: before it plays again, it is probed.
  void blame(const Loan& loan);

  /// Before a match. If the player was blamed: probes it, and restarts it if its process has ended
  /// or does not answer, until it responds or its patience is used up; a player that was abandoned
  /// before gets one probe. One that responds but is busy, as with the match of a host that was
  /// killed, is waited for until it must have noticed that the match is dead; if it is busy still,
  /// it is not waited for again. nullopt if it responds, otherwise why not.
  std::optional<std::string> revive(const Loan& loan, const std::stop_token& stop);
  /// Where it listens. Not for built-in players.
  [[nodiscard]] const Address& address(const Loan& loan) const;

 private:
  struct Instance {
    Address address;
    std::unique_ptr<PlayerProcess> process;
    bool lent = false, blamed = false, given_up = false;
    bool always_busy = false;  // it said so for longer than any dead match could explain
  };

  enum class Until : std::uint8_t { There, Free };

  void start(std::size_t player, std::size_t instance);
  ProbeResult wait_for(std::size_t player, std::size_t instance, std::chrono::seconds patience,
                       const std::stop_token& stop, Until until = Until::There);

  const TournamentPlan& plan_;
  std::filesystem::path folder_;
  std::stop_token hurry_;
  std::vector<std::vector<Instance>> instances_;  // [player][instance]
};

}  // namespace ludens::server
