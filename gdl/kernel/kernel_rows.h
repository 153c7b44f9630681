// SPDX-License-Identifier: MIT
// Values of all lanes as rows of bits, bytes or floats. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_transpose.h"

namespace ludens::gdl::kernel {
namespace {

/// The low `count` bits of a word, each as a byte of 0 or 1.
inline void spread_bytes(Word bits, std::size_t count, std::uint8_t* to) {
#if LUDENS_KERNEL_WORDS == 8
  const Word some = count < 64 ? (Word{1} << count) - 1 : ~Word{0};
  _mm512_mask_storeu_epi8(to, some, _mm512_maskz_set1_epi8(bits, 1));
#else
  for (std::size_t i = 0; i < count; ++i) to[i] = bits >> i & 1;
#endif
}

/// The same as floats of 0 or 1.
inline void spread_floats(Word bits, std::size_t count, float* to) {
#if LUDENS_KERNEL_WORDS == 8
  for (std::size_t i = 0; i < count; i += 16, bits >>= 16) {
    const auto some = static_cast<__mmask16>(count - i < 16 ? (1U << (count - i)) - 1 : 0xffffU);
    _mm512_mask_storeu_ps(to + i, some,
                          _mm512_maskz_mov_ps(static_cast<__mmask16>(bits), _mm512_set1_ps(1.0F)));
  }
#else
  for (std::size_t i = 0; i < count; ++i) to[i] = (bits >> i & 1) != 0 ? 1.0F : 0.0F;
#endif
}

/// Writes words [first, first + n) of each lane's row, n <= kSpan, in the requested form.
inline void write_span(const Rows& rows, const Columns& columns, std::uint32_t first,
                       std::uint32_t n, std::size_t lanes) {
  const std::size_t stride = (rows.count + 63) / 64;
  if (rows.form == RowForm::Bits) {
    unpack_columns(columns, lanes, n, static_cast<Word*>(rows.to) + first, stride);
    return;
  }
  Word span[kLanes * kSpan];
  unpack_columns(columns, lanes, n, span, n);
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::uint32_t w = 0; w < n; ++w) {
      const std::size_t at = 64 * static_cast<std::size_t>(first + w);
      const std::size_t left = rows.count - at < 64 ? rows.count - at : 64;
      const std::size_t to = l * rows.count + at;
      if (rows.form == RowForm::Bytes) {
        spread_bytes(span[l * n + w], left, static_cast<std::uint8_t*>(rows.to) + to);
      } else {
        spread_floats(span[l * n + w], left, static_cast<float*>(rows.to) + to);
      }
    }
  }
}

/// One column of 64 values. Values that are false in all lanes are not transposed.
inline void turn_values(const Edge* edges, std::uint32_t count, Register among, const Register* s,
                        Register* column) {
  Register values[64];
  Register some = zeros();
  for (std::uint32_t k = 0; k < count; ++k) {
    values[k] = value(s, edges[k]) & among;
    some |= values[k];
  }
  if (!any(some)) {
    for (std::size_t k = 0; k < 64; ++k) column[k] = zeros();
    return;
  }
  transpose([&](std::size_t k) { return k < count ? values[k] : zeros(); },
            [=](std::size_t k, Register r) { column[k] = r; }, count);
}

void write_rows(const Rows& rows, const void* slots, std::uint32_t lanes) {
  const auto* const s = static_cast<const Register*>(slots);
  const Register among = rows.among != nullptr ? *static_cast<const Register*>(rows.among) : ones();
  const std::uint32_t words = (rows.count + 63) / 64;
  Columns columns;
  for (std::uint32_t first = 0; first < words; first += kSpan) {
    const std::uint32_t n = words - first < kSpan ? words - first : kSpan;
    for (std::uint32_t w = 0; w < n; ++w) {
      const std::uint32_t at = 64 * (first + w);
      turn_values(rows.edges + at, rows.count - at < 64 ? rows.count - at : 64, among, s,
                  columns.of[w]);
    }
    write_span(rows, columns, first, n, lanes);
  }
}

/// The inverse, from rows of bits: value k of a lane goes to slot[k].
void read_rows(const std::uint64_t* const* rows, const std::uint32_t* slot, std::uint32_t count,
               const void* lanes, void* slots) {
  auto* const s = static_cast<Register*>(slots);
  const Register which = *static_cast<const Register*>(lanes);
  pack(rows, kLanes, count,
       [=](std::uint32_t k, Register r) { s[slot[k]] = pick(which, r, s[slot[k]]); });
}

}  // namespace
}  // namespace ludens::gdl::kernel
