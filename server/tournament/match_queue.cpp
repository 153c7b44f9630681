// SPDX-License-Identifier: MIT
#include "server/tournament/match_queue.h"

#include <algorithm>

namespace ludens::server {

namespace {

/// How many later matches may start before a match.
constexpr std::size_t kWindow = 500;

}  // namespace

MatchQueue::MatchQueue(const Schedule& schedule, const Shard& shard, Done done)
    : schedule_(schedule), shard_(shard), done_(std::move(done)) {}

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

void MatchQueue::fill() {
  for (; window_.size() < kWindow && next_block_ < schedule_.blocks(); ++next_block_) {
    if (!shard_.has(next_block_)) continue;
    const Block block = schedule_.block(next_block_);
    for (std::size_t rotation = 0; rotation < block.size(); ++rotation) {
      if (done_.erase({block.number, rotation}) == 0) window_.push_back({block, rotation});
    }
  }
}

}  // namespace ludens::server
