// SPDX-License-Identifier: MIT
// Sums of weights for the successors of one state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/learning/table_kernel.h"
#include "search/learning/table_layout.h"

namespace ludens::search {

/// A move changes few tuples: the sum of the others is the same for all children, and is looked up
/// once. For one thread.
class SiblingSums {
 public:
  /// `weights`: `tables` tables. Both arguments must outlive it.
  SiblingSums(const TableLayout& layout, const float* weights, std::size_t tables);

  /// Begins with the children of another state. Must also be called again when weights have
  /// changed.
  void begin(const std::uint16_t* parent);
  /// The sum of a table's weights for a child.
  [[nodiscard]] float of(std::size_t table, const std::uint16_t* child);

 private:
  struct Known {
    bool valid = false;
    float sum = 0;
    std::vector<float> weights;  // [tuple]: those of the parent
  };

  const tables::Kernel& kernel_;
  const TableLayout& layout_;
  const float* weights_;
  const std::uint16_t* parent_ = nullptr;
  std::vector<Known> known_;  // [table]
};

}  // namespace ludens::search
