// SPDX-License-Identifier: MIT
// Where the weights of tuples are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/learning/table_kernel.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// A table has the entries of each tuple, stored contiguously, then room for any index.
class TableLayout {
 public:
  explicit TableLayout(const TupleForm& form) {
    for (std::size_t t = 0; t < form.tuple_count(); ++t) {
      first_.push_back(static_cast<std::uint32_t>(used_));
      used_ += form.entries(t);
    }
    tuples_ = first_.size();
    while (first_.size() % tables::kLanes != 0) first_.push_back(static_cast<std::uint32_t>(used_));
  }

  /// The number of entries of a table that tuples have.
  [[nodiscard]] std::size_t used() const { return used_; }
  /// The number of entries of a table with room at its end: any 16-bit index of any tuple is within
  /// it.
  [[nodiscard]] std::size_t entries() const { return used_ + (std::size_t{1} << 16); }
  [[nodiscard]] std::size_t tuple_count() const { return tuples_; }
  /// The first entry of a tuple, or the end of the last one.
  [[nodiscard]] std::size_t begin(std::size_t tuple) const {
    return tuple == tuples_ ? used_ : first_[tuple];
  }
  [[nodiscard]] std::size_t place(std::size_t tuple, const std::uint16_t* indices) const {
    return first_[tuple] + indices[tuple];
  }
  /// `weights`: the weights of a table.
  [[nodiscard]] tables::Table table(const float* weights) const {
    return {weights, first_.data(), first_.size()};
  }

 private:
  std::size_t used_ = 0, tuples_ = 0;
  std::vector<std::uint32_t> first_;  // [tuple], padded to a multiple of kLanes
};

}  // namespace ludens::search
