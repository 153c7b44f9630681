// The score by which Monte Carlo tree search goes down its tree.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ludens::search::mcts {

/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) as in UCT (Kocsis and Szepesvari 2006):
///
///     wins / trials + gamma * sqrt(ln(parent_trials) / trials)
///
/// `wins` is a sum of goals scaled to 0..1, `gamma` weighs exploration. `trials` > 0 and
/// `parent_trials` >= 1. Selection computes it for four moves at a time.
inline double ucb_score(double wins, double trials, double parent_trials, double gamma) {
  return wins / trials + gamma * std::sqrt(std::log(parent_trials) / trials);
}

/// ln(x) for x >= 1 within 0.01: it is the root of it that counts, for no move more than another.
inline float rough_log(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float exponent = static_cast<float>(bits >> 23) - 127.0F;
  const float m = std::bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U);  // in 1..2
  const float log2 = exponent + (2.0F - m / 3.0F) * m - 1.6666667F;
  return log2 > 0 ? 0.693147F * log2 : 0.0F;
}

}  // namespace ludens::search::mcts
