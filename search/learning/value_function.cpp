#include "search/learning/value_function.h"

#include <algorithm>
#include <utility>

#include "search/learning/logistic.h"

namespace ludens::search {

ValueFunction::ValueFunction(std::shared_ptr<const Parts> parts, std::vector<float> weights,
                             std::unique_ptr<gdl::HeldMemory> held)
    : parts_(std::move(parts)), weights_(std::move(weights)), held_(std::move(held)) {}

void ValueFunction::values(std::size_t mover, std::span<const std::uint16_t> indices,
                           std::span<float> out) const {
  const auto& [index, layout, shape, movers] = *parts_;
  float value = 0;
  std::uint32_t judged = ValueShape::kNone;
  for (std::size_t r = 0; r < shape.roles.size(); ++r) {
    const ValueShape::Role& role = shape.roles[r];
    if (role.output == ValueShape::kNone) {
      out[r] = role.offset;
      continue;
    }
    if (role.output != judged) {
      const std::size_t table = shape.table(mover, role.output);
      value = logistic(layout.sum(weights_.data() + table * layout.entries(), indices.data()));
      judged = role.output;
    }
    out[r] = std::clamp(role.offset + role.sign * value, 0.0F, 1.0F);
  }
}

void ValueFunction::values(std::span<const std::size_t> movers,
                           std::span<const std::uint16_t> indices, std::span<float> out) const {
  const std::size_t stride = index().stride(), roles = role_count();
  for (std::size_t i = 0; i < movers.size(); ++i) {
    values(movers[i], indices.subspan(i * stride, stride), out.subspan(i * roles, roles));
  }
}

}  // namespace ludens::search
