// SPDX-License-Identifier: MIT
// When a tournament can stop.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "server/tournament/result.h"

namespace ludens::server {

/// Gets blocks in schedule order, whatever the order in which they were played, so that the verdict
/// comes at the same block in every run. One call at a time.
class StopRule {
 public:
  virtual ~StopRule() = default;
  /// All matches of the next block, by rotation. Blocks with an aborted match come, too; they must
  /// not be counted. A sentence ("H1 accepted") stops the tournament.
  virtual std::optional<std::string> block(std::span<const MatchResult> matches) = 0;
};

}  // namespace ludens::server
