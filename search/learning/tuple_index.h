// SPDX-License-Identifier: MIT
// From states to places in tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/state.h"
#include "search/learning/state_bits.h"
#include "search/learning/table_kernel.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Turns a state into one index for each lookup (an image of a tuple, or a count): a sum of
/// contributions of the fluents that hold, modulo 2^16. That of mobility is not in the fluents. In
/// a state unlike all observed ones (with two values of a variable at once) the index is that of
/// another entry, or beyond the last one: readers must leave room for 2^16 entries. Immutable,
/// shared by threads.
///
/// `exchanged` below: the indices are those of the state's image after `TupleForm::exchange`.
class TupleIndex {
 public:
  TupleIndex(const TupleForm& form, const StateBits& bits);

  [[nodiscard]] std::size_t lookup_count() const { return lookups_; }
  /// 16-bit indices of a state: one for each lookup, then zeros up to a multiple of 32.
  [[nodiscard]] std::size_t stride() const { return stride_; }

  /// `mobility`: what `mobility` (see `mobility.h`) returns for the state.
  void index(gdl::StateView state, std::uint16_t mobility, bool exchanged,
             std::span<std::uint16_t> out) const {
    kernel_.add(rows(exchanged), state.words().data(), out.data());
    out[lookups_ - 1] = mobility;
  }
  /// The same from the indices of another state (with the same `exchanged`), faster if the two
  /// differ less.
  void index_child(gdl::StateView parent, std::span<const std::uint16_t> parent_indices,
                   gdl::StateView child, std::uint16_t mobility, bool exchanged,
                   std::span<std::uint16_t> out) const {
    kernel_.change(rows(exchanged), parent.words().data(), parent_indices.data(),
                   child.words().data(), out.data());
    out[lookups_ - 1] = mobility;
  }
  /// The memory of such an index in bytes.
  static std::size_t bytes(const TupleForm& form, const StateBits& bits);

 private:
  /// What each fluent contributes.
  struct Contributions {
    std::vector<std::uint16_t> rows;  // [bit * stride + lookup]
    std::vector<std::uint64_t> mask;  // [word]: bits that contribute anything
  };

  [[nodiscard]] tables::Rows rows(bool exchanged) const {
    const Contributions& by_bit = exchanged && !exchanged_.rows.empty() ? exchanged_ : plain_;
    return {by_bit.rows.data(), by_bit.mask.data(), by_bit.mask.size(), stride_};
  }
  void exchange(const TupleForm& form, const StateBits& bits);

  const tables::Kernel& kernel_;
  std::size_t lookups_, stride_;
  Contributions plain_, exchanged_;  // the latter is empty if there is no exchange
};

}  // namespace ludens::search
