// The score by which Monte Carlo tree search goes down its tree.
#pragma once

#include <cmath>

namespace ludens::search::mcts {

/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) as in UCT (Kocsis and Szepesvari 2006):
///
///     wins / trials + gamma * sqrt(ln(parent_trials) / trials)
///
/// `wins` is a sum of goals scaled to 0..1, `gamma` weighs exploration. `trials` > 0 and
/// `parent_trials` >= 1.
inline double ucb_score(double wins, double trials, double parent_trials, double gamma) {
  return wins / trials + gamma * std::sqrt(std::log(parent_trials) / trials);
}

}  // namespace ludens::search::mcts
