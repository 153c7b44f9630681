// SPDX-License-Identifier: MIT
// Differences in strength as used in chess.
#pragma once

#include "server/statistics/estimate.h"

namespace ludens::server {

/// A difference of `d` is worth the mean score 1 / (1 + 10^(-d/400)) (Elo, "The Rating of
/// Chessplayers", 1978). Minus or plus infinity where the score, or an end of its interval, is 0 or
/// 1. The error is half the distance of the ends, as cutechess and fastchess print it; the interval
/// itself is not symmetric.
struct Elo {
  double difference = 0;
  double low = 0;
  double high = 0;
  [[nodiscard]] double error() const { return (high - low) / 2; }
};

double elo_of_score(double score);
double score_of_elo(double difference);

/// The ends of the interval of the score, as differences.
Elo elo_of(const Estimate& score);

}  // namespace ludens::server
