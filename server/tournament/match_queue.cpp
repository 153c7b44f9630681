// SPDX-License-Identifier: MIT
#include "server/tournament/match_queue.h"

#include <algorithm>

namespace ludens::server {

namespace {

/// The most matches that wait at the same time.
constexpr std::size_t kWindow = 500;
/// How many times the tables of a game may meet before a match that waits. With fewer, players that
/// are free would wait for those that are not; with more, two players with one place each would
/// meet only after most of their other matches, and a match for all processors at the very end.
constexpr std::size_t kMostSweeps = 2;

}  // namespace

MatchQueue::MatchQueue(const Schedule& schedule, const Shard& shard, Done done)
    : schedule_(schedule),
      shard_(shard),
      done_(std::move(done)),
      lead_(kMostSweeps * schedule.most_tables() * shard.count) {}

bool MatchQueue::empty() {
  fill();
  return window_.empty();
}

std::optional<QueuedMatch> MatchQueue::take(
    const std::function<bool(const QueuedMatch&)>& can_start) {
  fill();
  const auto found = std::find_if(window_.begin(), window_.end(), can_start);
  if (found == window_.end()) return std::nullopt;
  QueuedMatch match = std::move(*found);
  window_.erase(found);
  return match;
}

bool MatchQueue::has_room() const {
  if (window_.empty()) return true;
  return window_.size() < kWindow && next_block_ < window_.front().block.number + lead_;
}

void MatchQueue::fill() {
  for (; next_block_ < schedule_.blocks() && has_room(); ++next_block_) {
    if (!shard_.has(next_block_)) continue;
    const Block block = schedule_.block(next_block_);
    for (std::size_t rotation = 0; rotation < block.size(); ++rotation) {
      if (done_.erase({block.number, rotation}) == 0) window_.push_back({block, rotation});
    }
  }
}

}  // namespace ludens::server
