// SPDX-License-Identifier: MIT
// The history of a tournament: curves over its blocks.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "server/statistics/estimate.h"
#include "server/statistics/played_block.h"

namespace ludens::server {

/// What was known about a player after one more of its blocks.
struct ScorePoint {
  std::size_t block = 0;  // number in the schedule
  double ended_ms = 0;    // when the block was over; milliseconds since 1970
  double score = 0;       // in this block
  Estimate estimate;      // of all its blocks up to this one
};

struct ScoreCurve {
  std::string player;
  std::vector<ScorePoint> points;  // by number of the block; of complete blocks only
};

/// A curve for each player, in the order given.
std::vector<ScoreCurve> score_curves(const std::vector<std::string>& players,
                                     std::span<const PlayedBlock> blocks);

}  // namespace ludens::server
