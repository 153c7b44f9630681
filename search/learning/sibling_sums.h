// SPDX-License-Identifier: MIT
// Sums of weights for the successors of one state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/learning/table_kernel.h"
#include "search/learning/table_layout.h"
#include "search/learning/tuple_index.h"

namespace ludens::search {

/// A move changes few tuples: the sum of the others is the same for all children, and is looked up
/// once. For one thread.
class SiblingSums {
 public:
  /// `weights`: `tables` tables. All arguments must outlive it.
  SiblingSums(const TupleIndex& index, const TableLayout& layout, const float* weights,
              std::size_t tables);

  /// Begins with the children of another state, which must stay valid. Must also be called again
  /// when weights have changed.
  void begin(gdl::StateView parent);
  /// The indices of a child: see `TupleIndex`.
  void index(gdl::StateView child, std::uint16_t mobility, bool exchanged,
             std::span<std::uint16_t> out);
  /// The sum of weights for a child, on the scale of `logit`.
  [[nodiscard]] float of(const ValueSource& source, const std::uint16_t* child);

 private:
  struct Known {
    bool valid = false;
    float sum = 0;
    std::vector<float> weights;  // [lookup]: those of the parent
  };

  /// Those of the parent.
  const std::vector<std::uint16_t>& indices(bool exchanged);

  const tables::Kernel& kernel_;
  const TupleIndex& index_;
  const TableLayout& layout_;
  const float* weights_;
  gdl::StateView parent_;
  std::array<std::vector<std::uint16_t>, 2> indices_;  // [exchanged]: empty if not asked for
  std::vector<Known> known_;                           // [2 * table + exchanged]
};

}  // namespace ludens::search
