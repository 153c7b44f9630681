// SPDX-License-Identifier: MIT
#include "search/minimax/outcomes.h"

namespace ludens::search {

void Outcomes::start(std::size_t count, double alpha, double beta) {
  count_ = count;
  proved_.clear();
  low_sum_ = 0;
  high_sum_ = 100 * static_cast<double>(count);
  node_alpha_ = alpha * static_cast<double>(count);
  node_beta_ = beta * static_cast<double>(count);
  cut_ = false;
}

void Outcomes::take(const Backup& found) {
  cut_ = found.value <= alpha() || found.value >= beta();
  // What is left of the window decides nothing: the other outcomes count as on that side.
  bound_ = found.value + (found.value <= alpha() ? high_sum_ - 100 : low_sum_);
  proved_.push_back(found);
  low_sum_ += found.value;
  high_sum_ += found.value - 100;
}

Backup Outcomes::sum() const {
  Backup sum = Backup::exact(0);
  for (const Backup& outcome : proved_) sum.add(outcome);
  const auto unseen = static_cast<double>(count_ - proved_.size());
  sum.high += 100 * unseen;
  if (cut_) sum.value = bound_;
  return sum;
}

}  // namespace ludens::search
