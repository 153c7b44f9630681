// SPDX-License-Identifier: MIT
// A growing set of rows of integers, with hash indices by any choice of columns.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "gdl/memory/hash.h"
#include "gdl/memory/hash_index.h"
#include "gdl/memory/large_array.h"

namespace ludens::gdl {

using RowId = std::uint32_t;
inline constexpr RowId kNoRow = HashIndex::kNone;

/// Rows are kept once, in the order of insertion, so that "everything new since row n" is a range.
/// At most 64 columns can be indexed. Not thread-safe.
class Tuples {
 public:
  /// Rows chained by the hash of their indexed columns, newest first. Chains hold rows of other
  /// keys, too: the caller must compare.
  class Index {
   public:
    [[nodiscard]] RowId first(std::uint64_t hash) const {
      return buckets_.empty() ? kNoRow : buckets_[hash & (buckets_.size() - 1)] - 1;
    }
    [[nodiscard]] RowId next(RowId row) const { return next_[row] - 1; }
    /// The hash of a row, given the value of each of its columns.
    template <class Value>
    [[nodiscard]] std::uint64_t hash(const Value& value) const {
      std::uint64_t h = kHashStart;
      for (std::uint64_t left = mask_; left != 0; left &= left - 1) {
        h = mix(h, value(static_cast<std::uint32_t>(std::countr_zero(left))));
      }
      return h;
    }

   private:
    friend class Tuples;
    std::uint64_t mask_ = 0;
    LargeArray<RowId> buckets_, next_;  // plus one: 0 is the end
  };

  explicit Tuples(std::uint32_t columns) : columns_(columns) {}

  /// False if the row was there.
  bool insert(const std::uint32_t* row);
  [[nodiscard]] RowId find(const std::uint32_t* row) const;
  [[nodiscard]] const std::uint32_t* row(RowId id) const {
    return cells_.data() + static_cast<std::size_t>(id) * columns_;
  }
  [[nodiscard]] RowId size() const { return size_; }
  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::size_t bytes() const;

  /// The index over the columns of a mask, made on demand; `extend` brings rows into it.
  Index& index(std::uint64_t mask);
  /// Up to `most` rows; true once all are there.
  bool extend(Index& index, RowId most = kNoRow) const;
  /// About how many values stand in a column, by a sample of rows that is renewed when there are
  /// twice as many.
  double distinct(std::uint32_t column);
  /// Frees all indices. None may be in use.
  void drop_indices() { indices_.clear(); }

 private:
  [[nodiscard]] std::uint32_t hash(const std::uint32_t* row) const;
  [[nodiscard]] bool equals(RowId id, const std::uint32_t* row) const;

  std::uint32_t columns_;
  RowId size_ = 0;
  LargeArray<std::uint32_t> cells_;
  HashIndex rows_;
  struct Spread {
    RowId rows = 0;  // when it was estimated
    double values = 0;
  };
  std::vector<Spread> spreads_;  // [column], once asked for
  std::deque<Index> indices_;    // deque: references stay valid
};

}  // namespace ludens::gdl
