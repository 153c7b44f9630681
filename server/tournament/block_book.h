// SPDX-License-Identifier: MIT
// Matches, put together to blocks as they end.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "server/tournament/log.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// Keeps the blocks that are not complete, and those that wait for an earlier one. Not thread-safe.
class BlockBook {
 public:
  /// Blocks of this shard alone are waited for.
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

}  // namespace ludens::server
