// SPDX-License-Identifier: MIT
// Numbers that lanes hold, and which lanes hold which. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_transpose.h"

namespace ludens::gdl::kernel {
namespace {

/// `store` gets bit k of each lane's word, for at least this many bits. Lane l's word is word l of
/// the `rows`.
template <typename Store>
inline void turn_words(const Register* rows, std::size_t bits, Store store) {
  transpose([=](std::size_t k) { return rows[k]; }, store, 64, bits);
}

/// Which lanes hold which number, by its digits of four bits. The number is in columns [first,
/// first + bits), at most 12 of them.
class NumberLanes {
 public:
  NumberLanes(const Register* columns, std::uint32_t first, std::uint32_t bits) {
    const std::uint32_t end = first + bits;
    digits(columns, first, end, low_);
    digits(columns, first + 4, end, middle_);
    digits(columns, first + 8, end, high_);
  }
  [[nodiscard]] Register operator[](std::uint32_t n) const {
    return low_[n % 16] & middle_[n / 16 % 16] & high_[n / 256];
  }

 private:
  // Determines which lanes have which digit in the four bits that start at `first`, as far as they
  // are below `end`.
  static void digits(const Register* columns, std::uint32_t first, std::uint32_t end,
                     Register* lanes) {
    lanes[0] = ones();
    for (std::uint32_t i = 0; i < 4 && first + i < end; ++i) {
      const Register bit = columns[first + i];
      for (std::uint32_t d = 0; d < 1U << i; ++d) {
        lanes[d + (1U << i)] = lanes[d] & bit;
        lanes[d] &= ~bit;
      }
    }
  }

  Register low_[16], middle_[16], high_[16];
};

}  // namespace
}  // namespace ludens::gdl::kernel
