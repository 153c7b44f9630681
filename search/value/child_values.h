// SPDX-License-Identifier: MIT
// The learned values of positions.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/value_function.h"

namespace ludens::search::value {

/// Keeps an estimate away from 0 and 1, which are reserved for proved values.
float keep_unsure(float value);

/// Estimates the children of one position at a time. For one thread.
class ChildValues {
 public:
  /// If null, nothing is known, and all children have the same value.
  explicit ChildValues(std::shared_ptr<const ValueFunction> values) : values_(std::move(values)) {
    if (values_ != nullptr) children_.emplace(*values_);
  }

  /// Sets the parent of the next children, which must stay valid.
  void begin(gdl::StateView parent);
  /// Values for each role of the state after a pair, which must not be the end; never exactly 0 or
  /// 1.
  void evaluate(const gdl::Expansion& children, std::size_t pair, std::span<float> out);

 private:
  std::shared_ptr<const ValueFunction> values_;
  std::optional<ValueFunction::Children> children_;
};

}  // namespace ludens::search::value
