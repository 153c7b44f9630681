// SPDX-License-Identifier: MIT
#include "search/learning/sibling_sums.h"

namespace ludens::search {

SiblingSums::SiblingSums(const TupleIndex& index, const TableLayout& layout, const float* weights,
                         std::size_t tables)
    : kernel_(tables::best()),
      index_(index),
      layout_(layout),
      weights_(weights),
      known_(2 * tables) {}

void SiblingSums::begin(gdl::StateView parent) {
  parent_ = parent;
  for (auto& indices : indices_) indices.clear();
  for (Known& known : known_) known.valid = false;
}

const std::vector<std::uint16_t>& SiblingSums::indices(bool exchanged) {
  auto& indices = indices_[exchanged ? 1 : 0];
  if (indices.empty()) {
    indices.resize(index_.stride());
    index_.index(parent_, 0, exchanged, indices);  // only the mobility of children is needed
  }
  return indices;
}

void SiblingSums::index(gdl::StateView child, std::uint16_t mobility, bool exchanged,
                        std::span<std::uint16_t> out) {
  index_.index_child(parent_, indices(exchanged), child, mobility, exchanged, out);
}

float SiblingSums::of(const ValueSource& source, const std::uint16_t* child) {
  const tables::Table weights = layout_.table(source, weights_);
  const std::uint16_t* parent = indices(source.exchanged).data();
  Known& known = known_[2 * source.table + (source.exchanged ? 1 : 0)];
  if (!known.valid) {
    known.valid = true;
    known.weights.resize(weights.count);
    known.sum = tables::gather(weights, parent, known.weights.data());
  }
  const float difference = kernel_.difference(weights, parent, known.weights.data(), child);
  return source.sign * (known.sum + difference);
}

}  // namespace ludens::search
