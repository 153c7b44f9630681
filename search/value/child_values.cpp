// SPDX-License-Identifier: MIT
#include "search/value/child_values.h"

#include <algorithm>

namespace ludens::search::value {

namespace {

constexpr float kSure = 0.001F;  // the distance of estimates from proved values

}  // namespace

float keep_unsure(float value) {
  return std::clamp(value, kSure, 1 - kSure);
}

void ChildValues::begin(gdl::StateView parent) {
  if (values_ != nullptr) children_->begin(parent);
}

void ChildValues::evaluate(const gdl::Expansion& children, std::size_t pair, std::span<float> out) {
  if (values_ == nullptr) {
    std::ranges::fill(out, 0.5F);
    return;
  }
  children_->values(values_->movers().of(children, pair), children.states[pair],
                    mobility(children, pair, values_->role_count()), out);
  for (float& value : out) value = keep_unsure(value);
}

}  // namespace ludens::search::value
