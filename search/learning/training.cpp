// SPDX-License-Identifier: MIT
#include "search/learning/training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/learning/logistic.h"

namespace ludens::search {

namespace {

template <typename Number>
void write(Number& to, Number number) {
  __atomic_store(&to, &number, __ATOMIC_RELAXED);
}

/// How much the errors that a weight has met agree: 0..1, from their sum and that of their sizes.
/// With two threads, the sums may be those of different moments.
float coherence(double sum, double sizes) {
  if (sizes == 0) return 1;
  return std::min(1.0F, static_cast<float>(std::abs(sum)) / static_cast<float>(sizes));
}

}  // namespace

Training::Training(TableLayout layout, std::size_t tables, double rate)
    : layout_(std::move(layout)),
      rate_(static_cast<float>(rate / static_cast<double>(layout_.lookup_count()))),
      weights_(tables * layout_.entries(), 0.0F),
      errors_(weights_.size()) {}

void Training::learn(const ValueSource& source, const std::uint16_t* indices, float target) {
  const std::size_t begin = source.table * layout_.entries();
  for (std::size_t t = 0; t < layout_.lookup_count(); ++t) {
    __builtin_prefetch(&errors_[begin + layout_.place(t, indices)], 1);
  }
  const float sum = tables::sum(layout_.table(source, weights_.data()), indices);
  const float error = source.sign * (target - logistic(source.sign * sum));
  const float size = std::abs(error), step = rate_ * error;
  for (std::size_t t = 0; t < layout_.lookup_count(); ++t) {
    const std::size_t place = begin + layout_.place(t, indices);
    Errors& met = errors_[place];
    const double errors = tables::read(met.sum), sizes = tables::read(met.sizes);
    write(weights_[place], tables::read(weights_[place]) + step * coherence(errors, sizes));
    write(met.sum, errors + error);
    write(met.sizes, sizes + size);
  }
}

std::vector<float> Training::copy_of_weights() const {
  std::vector<float> out(weights_.size());
  std::ranges::transform(weights_, out.begin(), tables::read<float>);
  return out;
}

std::vector<TrainedWeight> Training::trained() const {
  std::vector<TrainedWeight> out(weights_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto size = static_cast<float>(tables::read(errors_[i].sizes));
    const auto sum = static_cast<float>(tables::read(errors_[i].sum));
    out[i] = {tables::read(weights_[i]), std::clamp(sum, -size, size), size};
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
