// SPDX-License-Identifier: MIT
#include "search/value/judge.h"

#include <algorithm>

namespace ludens::search::value {

namespace {

constexpr float kSure = 0.001F;  // the distance of estimates from proved values

}  // namespace

float keep_unsure(float value) {
  return std::clamp(value, kSure, 1 - kSure);
}

void Judge::stand_at(gdl::StateView parent) {
  if (values_ == nullptr) return;
  parent_ = parent;
  of_parent_.resize(values_->index().stride());
  of_child_.resize(of_parent_.size());
  values_->index().index(parent, 0, of_parent_);  // only the children are judged
  children_->begin(of_parent_);
}

void Judge::judge(const gdl::Expansion& children, std::size_t pair, std::span<float> out) {
  if (values_ == nullptr) {
    std::ranges::fill(out, 0.5F);
    return;
  }
  const std::uint16_t choices = mobility(children, pair, values_->role_count());
  values_->index().index_child(parent_, of_parent_, children.states[pair], choices, of_child_);
  children_->values(values_->movers().of(children, pair), of_child_, out);
  for (float& value : out) value = keep_unsure(value);
}

}  // namespace ludens::search::value
