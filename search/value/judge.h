// SPDX-License-Identifier: MIT
// What positions are worth as far as was learned.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/value_function.h"

namespace ludens::search::value {

/// An estimate stays away from 0 and 1, which are for what is proved.
float keep_unsure(float value);

/// Estimates of a position's children, one position after the other. One thread.
class Judge {
 public:
  /// Null: nothing is known, all children are worth the same.
  explicit Judge(std::shared_ptr<const ValueFunction> values) : values_(std::move(values)) {
    if (values_ != nullptr) children_.emplace(*values_);
  }

  /// The parent of the children to come.
  void stand_at(gdl::StateView parent);
  /// Values for each role of what follows from a pair, which is not the end; never quite 0 or 1.
  void judge(const gdl::Expansion& children, std::size_t pair, std::span<float> out);

 private:
  std::shared_ptr<const ValueFunction> values_;
  std::optional<ValueFunction::Children> children_;
  gdl::StateView parent_;
  std::vector<std::uint16_t> of_parent_, of_child_;
};

}  // namespace ludens::search::value
