// SPDX-License-Identifier: MIT
#include "server/statistics/curves.h"

#include <utility>

namespace ludens::server {

std::vector<ScoreCurve> score_curves(const std::vector<std::string>& players,
                                     std::span<const PlayedBlock> blocks) {
  std::vector<ScoreCurve> curves;
  for (const std::string& player : players) {
    ScoreCurve curve;
    curve.player = player;
    BlockMean mean;
    for (const PlayedBlock& block : blocks) {
      const BlockScore* score = block.find(player);
      if (score == nullptr) continue;
      mean.add(score->score);
      curve.points.push_back({block.number, block.ended_ms(), score->score, mean.estimate()});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace ludens::server
