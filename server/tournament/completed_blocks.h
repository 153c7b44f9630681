// SPDX-License-Identifier: MIT
// Blocks of matches as they are completed, and those among them that prove nothing.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/tournament/log.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// Keeps the blocks that are not complete, and those that wait for an earlier one. Not thread-safe.
class BlockBook {
 public:
  /// Only waits for blocks of this shard.
  explicit BlockBook(const Shard& shard) : shard_(shard), next_(shard.index - 1) {}

  /// The whole block, by rotation, if this was its last match.
  std::optional<std::vector<MatchResult>> add(const MatchResult& result);
  /// The next block in schedule order, if it is complete.
  std::optional<std::vector<MatchResult>> next_in_order();

 private:
  Shard shard_;
  std::map<std::size_t, std::vector<MatchResult>> open_, complete_;  // by number
  std::size_t next_;
};

/// Counts completed blocks that repeat all matches of an earlier block, which happens if players
/// are deterministic and the game has no chance. Intervals and tests assume independent
/// blocks, and would be too confident. Not thread-safe.
class Repetitions {
 public:
  void add(std::span<const MatchResult> block);
  /// Empty if there are none.
  [[nodiscard]] std::string warning() const;

 private:
  std::set<std::string> seen_;  // hashes
  std::size_t blocks_ = 0, repeated_ = 0;
};

}  // namespace ludens::server
