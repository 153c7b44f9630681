// SPDX-License-Identifier: MIT
#include "gdl/native/expression.h"

namespace ludens::gdl::native {

std::uint8_t permute(std::uint8_t table, const std::array<std::uint8_t, 3>& place) {
  unsigned out = 0;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned from = 0;
    for (unsigned i = 0; i < 3; ++i) from |= (row >> (2 - place[i]) & 1) << (2 - i);
    out |= (table >> from & 1U) << row;
  }
  return static_cast<std::uint8_t>(out);
}

namespace {

/// Whether the result changes with operand i.
bool depends(std::uint8_t table, unsigned i) {
  const unsigned shift = 4U >> i;  // rows that differ only in operand i are this far apart
  return (((table >> shift) ^ table) & ~kProjection[i] & 0xffU) != 0;
}

/// Leaves out operands that the table does not depend on.
void reduce(Expression& e) {
  for (unsigned i = e.inputs; i-- > 0;) {
    if (depends(e.table, i)) continue;
    std::array<std::uint8_t, 3> place{0, 1, 2};
    place[i] = 2;
    for (unsigned k = i + 1; k < 3; ++k) place[k] = static_cast<std::uint8_t>(k - 1);
    e.table = permute(e.table, place);
    for (unsigned k = i; k + 1 < e.inputs; ++k) e.in[k] = e.in[k + 1];
    --e.inputs;
  }
}

}  // namespace

std::optional<Expression> conjunction(const Expression& a, const Expression& b, unsigned most) {
  Expression joined = a;
  std::array<std::uint8_t, 3> place{0, 1, 2};  // of b's operands among a's
  std::array<bool, 3> taken{};
  for (unsigned i = 0; i < b.inputs; ++i) {
    unsigned k = 0;
    while (k < joined.inputs && joined.in[k] != b.in[i]) ++k;
    if (k == joined.inputs) {
      if (joined.inputs == most) return std::nullopt;
      joined.in[joined.inputs++] = b.in[i];
    }
    place[i] = static_cast<std::uint8_t>(k);
    taken[k] = true;
  }
  for (unsigned i = b.inputs, k = 0; i < 3; ++i) {  // the rest of a permutation; no matter which
    while (taken[k]) ++k;
    place[i] = static_cast<std::uint8_t>(k++);
  }
  joined.table = static_cast<std::uint8_t>(a.table & permute(b.table, place));
  reduce(joined);
  return joined;
}

}  // namespace ludens::gdl::native
