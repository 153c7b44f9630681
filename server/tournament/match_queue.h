// SPDX-License-Identifier: MIT
// The matches of a schedule that must still be played.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "server/tournament/log.h"
#include "server/tournament/schedule.h"

namespace ludens::server {

struct QueuedMatch {
  Block block;
  std::size_t rotation = 0;
};

/// Hands out matches in schedule order, except those that can't be played at the moment: they wait,
/// and others overtake them, those of two sweeps through the tables of a game at most. The schedule
/// is never stored as a list. Not thread-safe; the schedule must outlive it.
class MatchQueue {
 public:
  /// (block, rotation) of matches that are played.
  using Done = std::set<std::pair<std::size_t, std::size_t>>;

  MatchQueue(const Schedule& schedule, const Shard& shard, Done done);

  [[nodiscard]] bool empty();
  /// Takes the first for which `can_start` holds.
  std::optional<QueuedMatch> take(const std::function<bool(const QueuedMatch&)>& can_start);

 private:
  void fill();
  /// Whether one more block may be handed out before what waits.
  [[nodiscard]] bool has_room() const;

  const Schedule& schedule_;
  Shard shard_;
  Done done_;
  std::size_t lead_;  // of the number of a block over the first one that waits
  std::size_t next_block_ = 0;
  std::deque<QueuedMatch> window_;
};

}  // namespace ludens::server
