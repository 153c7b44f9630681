// SPDX-License-Identifier: MIT
// Where the weights of tuples are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/learning/table_kernel.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Where the weights of a value are, for the states in which one role chooses.
struct ValueSource {
  std::size_t table = 0;
  bool exchanged = false;  // whether states are looked up with exchanged roles
  float sign = 1;          // -1: the value is 1 - logistic of the sum of weights
};

/// A table has the entries of each tuple, stored contiguously, then room for any index. All images
/// of a tuple are looked up among the same entries.
class TableLayout {
 public:
  explicit TableLayout(const TupleForm& form) {
    for (std::size_t t = 0; t < form.tuple_count(); ++t) {
      begin_.push_back(used_);
      const std::size_t lookups = t < form.tuples.size() ? form.images() : 1;
      first_.insert(first_.end(), lookups, static_cast<std::uint32_t>(used_));
      used_ += form.entries(t);
    }
    begin_.push_back(used_);
    lookups_ = first_.size();
    while (first_.size() % tables::kLanes != 0) first_.push_back(never_reached());
  }

  /// The number of entries of a table that tuples have.
  [[nodiscard]] std::size_t used() const { return used_; }
  /// The number of entries of a table with room at its end: any 16-bit index of any tuple is within
  /// it.
  [[nodiscard]] std::size_t entries() const { return used_ + (std::size_t{1} << 16); }
  [[nodiscard]] std::size_t tuple_count() const { return begin_.size() - 1; }
  /// The first entry of a tuple, or the end of the last one.
  [[nodiscard]] std::size_t begin(std::size_t tuple) const { return begin_[tuple]; }
  /// How many indices a state has (`TupleIndex`), and the entry that one of them selects.
  [[nodiscard]] std::size_t lookup_count() const { return lookups_; }
  [[nodiscard]] std::size_t place(std::size_t lookup, const std::uint16_t* indices) const {
    return first_[lookup] + indices[lookup];
  }
  /// `weights`: of all tables.
  [[nodiscard]] tables::Table table(const ValueSource& source, const float* weights) const {
    return {weights + source.table * entries(), first_.data(), first_.size()};
  }

 private:
  /// The last entry: each tuple begins before `used_`, so that no index leads there, and its weight
  /// stays 0.
  [[nodiscard]] std::uint32_t never_reached() const {
    return static_cast<std::uint32_t>(entries() - 1);
  }

  std::size_t used_ = 0, lookups_ = 0;
  std::vector<std::size_t> begin_;    // [tuple], and the end of the last one
  std::vector<std::uint32_t> first_;  // [lookup], padded to a multiple of kLanes
};

}  // namespace ludens::search
