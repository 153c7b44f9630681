// SPDX-License-Identifier: MIT
// Functions of at most three values, as truth tables: what one instruction can compute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace ludens::gdl::native {

using Value = std::uint32_t;

/// Bit `4a + 2b + c` of the table is the result for the operands a, b, c, as in the instruction
/// vpternlog. The table depends on the first `inputs` operands and on no others.
struct Expression {
  std::array<Value, 3> in{};
  std::uint8_t inputs = 0;
  std::uint8_t table = 0xff;  // true
};

/// The tables of the three operands themselves.
inline constexpr std::array<std::uint8_t, 3> kProjection{0xf0, 0xcc, 0xaa};

/// The tables of two operands that have an instruction of their own. kAndNot is ~a & b.
inline constexpr std::uint8_t kAnd = 0xc0, kAndNot = 0x0c, kOr = 0xfc, kXor = 0x3c;

inline Expression literal(Value value, bool inverted) {
  return {{value}, 1, static_cast<std::uint8_t>(inverted ? ~kProjection[0] : kProjection[0])};
}

inline Expression complement(Expression e) {
  e.table = static_cast<std::uint8_t>(~e.table);
  return e;
}

/// The AND of two expressions, or nullopt if they have more than `most` operands together.
std::optional<Expression> conjunction(const Expression& a, const Expression& b, unsigned most);

/// The table with operands in another order: operand i becomes operand place[i].
std::uint8_t permute(std::uint8_t table, const std::array<std::uint8_t, 3>& place);

}  // namespace ludens::gdl::native
