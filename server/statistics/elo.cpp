// SPDX-License-Identifier: MIT
#include "server/statistics/elo.h"

#include <cmath>
#include <limits>

namespace ludens::server {

double elo_of_score(double score) {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

double score_of_elo(double difference) {
  return 1 / (1 + std::pow(10, -difference / 400));
}

Elo elo_of(const Estimate& score) {
  return {elo_of_score(score.mean), elo_of_score(score.low), elo_of_score(score.high)};
}

}  // namespace ludens::server
