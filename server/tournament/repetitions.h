// SPDX-License-Identifier: MIT
// Blocks that were played before, move by move: they prove nothing.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "server/tournament/result.h"

namespace ludens::server {

/// Counts completed blocks whose matches were all the same as those of an earlier block, as players
/// without chance play them in games without chance. Intervals and tests take blocks to be
/// independent, and would be too sure. Not thread-safe.
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
