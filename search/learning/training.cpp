// SPDX-License-Identifier: MIT
#include "search/learning/training.h"

#include <cmath>
#include <utility>

#include "search/learning/logistic.h"

namespace ludens::search {

Training::Training(TableLayout layout, std::size_t tables, double rate)
    : layout_(std::move(layout)),
      rate_(static_cast<float>(rate / static_cast<double>(layout_.tuple_count()))),
      weights_(tables * layout_.entries(), 0.0F),
      errors_(weights_.size()) {}

void Training::learn(std::size_t table, const std::uint16_t* indices, float target) {
  const std::size_t begin = table * layout_.entries();
  for (std::size_t t = 0; t < layout_.tuple_count(); ++t) {
    __builtin_prefetch(&errors_[begin + layout_.place(t, indices)], 1);
  }
  const float sum = tables::sum(layout_.table(weights_.data() + begin), indices);
  const float error = target - logistic(sum);
  const float size = std::abs(error), step = rate_ * error;
  for (std::size_t t = 0; t < layout_.tuple_count(); ++t) {
    const std::size_t place = begin + layout_.place(t, indices);
    Errors& met = errors_[place];
    weights_[place] += met.sizes > 0 ? step * (std::abs(met.sum) / met.sizes) : step;
    met.sum += error;
    met.sizes += size;
  }
}

std::vector<TrainedWeight> Training::trained() const {
  std::vector<TrainedWeight> out(weights_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = {weights_[i], errors_[i].sum, errors_[i].sizes};
  }
  return out;
}

void Training::restore(std::span<const TrainedWeight> trained) {
  for (std::size_t i = 0; i < trained.size(); ++i) {
    weights_[i] = trained[i].value;
    errors_[i] = {trained[i].error_sum, trained[i].error_size};
  }
}

std::size_t Training::bytes(const TableLayout& layout, std::size_t tables) {
  return tables * layout.entries() * (sizeof(float) + sizeof(Errors));
}

}  // namespace ludens::search
