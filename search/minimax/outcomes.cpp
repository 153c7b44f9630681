// SPDX-License-Identifier: MIT
#include "search/minimax/outcomes.h"

#include <algorithm>

namespace ludens::search {

void Outcomes::start(std::size_t count, double alpha, double beta, bool probe) {
  low_.assign(count, 0);
  high_.assign(count, 100);
  proved_.assign(count, {});
  seen_.assign(count, 0);
  low_sum_ = 0;
  high_sum_ = 100 * static_cast<double>(count);
  node_alpha_ = alpha * static_cast<double>(count);
  node_beta_ = beta * static_cast<double>(count);
  at_ = 0;
  cut_ = false;
  // If every value counts, a probe can't cut anything off.
  probing_ = probe && (alpha > 0 || beta < 100);
}

std::size_t Outcomes::next() {
  if (cut_) return seen_.size();
  while (at_ < seen_.size() && seen_[at_] != 0) ++at_;
  if (at_ == seen_.size() && probing_) {
    probing_ = false;
    at_ = 0;
    return next();
  }
  if (at_ < seen_.size()) look();
  return at_ == seen_.size() ? at_ : at_++;
}

void Outcomes::look() {
  alpha_ = node_alpha_ - (high_sum_ - high_[at_]);
  beta_ = node_beta_ - (low_sum_ - low_[at_]);
}

void Outcomes::take(const Backup& found) {
  prove(found);
  const std::size_t i = at_ - 1;
  seen_[i] = 1;
  if (found.value <= alpha_) return cut(high_sum_ - high_[i] + found.value);
  if (found.value >= beta_) return cut(low_sum_ - low_[i] + found.value);
  low_sum_ += found.value - low_[i];
  high_sum_ += found.value - high_[i];
  low_[i] = high_[i] = found.value;
}

void Outcomes::take_lower(const Backup& found) {
  prove(found);
  if (found.value > alpha_) settle(found.value, high_[at_ - 1]);
  if (low_sum_ >= node_beta_) cut(low_sum_);
}

void Outcomes::take_upper(const Backup& found) {
  prove(found);
  if (found.value < beta_) settle(low_[at_ - 1], found.value);
  if (high_sum_ <= node_alpha_) cut(high_sum_);
}

void Outcomes::cut(double bound) {
  cut_ = true;
  bound_ = bound;
}

void Outcomes::prove(const Backup& found) {
  Backup& proved = proved_[at_ - 1];
  proved.low = std::max(proved.low, found.low);
  proved.high = std::min(proved.high, found.high);
}

Backup Outcomes::sum() const {
  Backup sum = Backup::exact(0);
  for (std::size_t i = 0; i < proved_.size(); ++i) {
    sum.add({low_[i], proved_[i].low, proved_[i].high});
  }
  if (cut_) sum.value = bound_;
  return sum;
}

void Outcomes::settle(double low, double high) {
  const std::size_t i = at_ - 1;
  low = std::max(low, low_[i]);
  high = std::max(low, std::min(high, high_[i]));
  low_sum_ += low - low_[i];
  high_sum_ += high - high_[i];
  low_[i] = low;
  high_[i] = high;
}

}  // namespace ludens::search
