// SPDX-License-Identifier: MIT
#include "search/learning/value_function.h"

#include <algorithm>
#include <utility>

#include "search/learning/logistic.h"

namespace ludens::search {

namespace {

/// Computes the values of roles from those of outputs, each of which is computed once:
/// `sum(source)`.
template <typename Sum>
void spread(const ValueShape& shape, std::size_t mover, std::span<float> out, Sum sum) {
  float value = 0;
  std::uint32_t computed = ValueShape::kNone;
  for (std::size_t r = 0; r < shape.roles.size(); ++r) {
    const ValueShape::Role& role = shape.roles[r];
    if (role.output == ValueShape::kNone) {
      out[r] = role.offset;
      continue;
    }
    if (role.output != computed) {
      value = logistic(sum(shape.source(mover, role.output)));
      computed = role.output;
    }
    out[r] = std::clamp(role.offset + role.sign * value, 0.0F, 1.0F);
  }
}

}  // namespace

ValueFunction::ValueFunction(std::shared_ptr<const Parts> parts, std::vector<float> weights,
                             std::unique_ptr<gdl::HeldMemory> held)
    : parts_(std::move(parts)), weights_(std::move(weights)), held_(std::move(held)) {}

void ValueFunction::values(std::size_t mover, gdl::StateView state, std::uint16_t mobility,
                           std::span<float> out) const {
  const TableLayout& layout = parts_->layout;
  const ValueShape& shape = parts_->shape;
  std::vector<std::uint16_t> indices(parts_->index.stride());
  parts_->index.index(state, mobility, shape.exchanged(mover), indices);
  spread(shape, mover, out, [&](const ValueSource& source) {
    return source.sign * tables::sum(layout.table(source, weights_.data()), indices.data());
  });
}

void ValueFunction::Children::values(std::size_t mover, gdl::StateView child,
                                     std::uint16_t mobility, std::span<float> out) {
  sums_.index(child, mobility, shape_.exchanged(mover), indices_);
  spread(shape_, mover, out,
         [&](const ValueSource& source) { return sums_.of(source, indices_.data()); });
}

}  // namespace ludens::search
