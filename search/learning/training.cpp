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
  const float error = target - logistic(sum(table, indices));
  const float size = std::abs(error), step = rate_ * error;
  const std::size_t begin = table * layout_.entries();
  for (std::size_t t = 0; t < layout_.tuple_count(); ++t) {
    const std::size_t place = begin + layout_.place(t, indices);
    Errors& met = errors_[place];
    weights_[place] += met.sizes > 0 ? step * (std::abs(met.sum) / met.sizes) : step;
    met.sum += error;
    met.sizes += size;
  }
}

std::size_t Training::bytes(const TableLayout& layout, std::size_t tables) {
  return tables * layout.entries() * (sizeof(float) + sizeof(Errors));
}

}  // namespace ludens::search
