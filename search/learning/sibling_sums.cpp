// SPDX-License-Identifier: MIT
#include "search/learning/sibling_sums.h"

namespace ludens::search {

SiblingSums::SiblingSums(const TableLayout& layout, const float* weights, std::size_t tables)
    : kernel_(tables::best()), layout_(layout), weights_(weights), known_(tables) {}

void SiblingSums::begin(const std::uint16_t* parent) {
  parent_ = parent;
  for (Known& known : known_) known.valid = false;
}

float SiblingSums::of(std::size_t table, const std::uint16_t* child) {
  const tables::Table weights = layout_.table(weights_ + table * layout_.entries());
  Known& known = known_[table];
  if (!known.valid) {
    known.valid = true;
    known.weights.resize(weights.count);
    known.sum = tables::gather(weights, parent_, known.weights.data());
  }
  return known.sum + kernel_.difference(weights, parent_, known.weights.data(), child);
}

}  // namespace ludens::search
