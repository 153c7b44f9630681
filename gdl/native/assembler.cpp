// SPDX-License-Identifier: MIT
#include "gdl/native/assembler.h"

namespace ludens::gdl::native {

namespace {

constexpr unsigned kMap0f = 1, kMap0f3a = 3;

unsigned number(Pointer p) {
  return static_cast<unsigned>(p);
}

}  // namespace

void Assembler::word32(std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  for (unsigned shift = 0; shift < 32; shift += 8) byte(bits >> shift & 0xff);
}

void Assembler::memory(std::uint8_t reg, Address a, std::int32_t scale) {
  const unsigned low = (reg & 7U) << 3 | (number(a.base) & 7U);
  const std::int32_t short_form = a.displacement / scale;
  if (a.displacement == 0 && (number(a.base) & 7U) != number(Pointer::Rbp)) {
    byte(low);
  } else if (a.displacement % scale == 0 && short_form >= -128 && short_form <= 127) {
    byte(0x40 | low);
    byte(static_cast<std::uint8_t>(short_form));
  } else {
    byte(0x80 | low);
    word32(a.displacement);
  }
}

void Assembler::operand(std::uint8_t reg, const Source& rm, std::int32_t scale) {
  if (rm.in_memory) {
    memory(reg, rm.address, scale);
  } else {
    byte(0xc0U | (reg & 7U) << 3 | (rm.number & 7U));
  }
}

void Assembler::evex(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm) {
  const unsigned base = rm.in_memory ? number(rm.address.base) : rm.number;
  const bool x = !rm.in_memory && (rm.number & 16U) != 0;
  // The prefix holds the upper bits of register numbers complemented.
  byte(0x62);
  byte(((reg & 8U) != 0 ? 0U : 0x80U) | (x ? 0U : 0x40U) | ((base & 8U) != 0 ? 0U : 0x20U) |
       ((reg & 16U) != 0 ? 0U : 0x10U) | code.map);
  byte((code.w ? 0x80U : 0U) | (~vvvv & 15U) << 3 | 0x04U | 0x01U);
  byte(0x40U | ((vvvv & 16U) != 0 ? 0U : 0x08U));
  byte(code.opcode);
  operand(reg, rm, 64);
}

void Assembler::vex(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm) {
  const unsigned base = rm.in_memory ? number(rm.address.base) : rm.number;
  const unsigned r = (reg & 8U) != 0 ? 0U : 0x80U;
  const unsigned last = (~vvvv & 15U) << 3 | 0x04U | 0x01U;  // 256 bits, prefix 66
  if (code.map == kMap0f && (base & 8U) == 0) {
    byte(0xc5);
    byte(r | last);
  } else {
    byte(0xc4);
    byte(r | 0x40U | ((base & 8U) != 0 ? 0U : 0x20U) | code.map);
    byte(last);
  }
  byte(code.opcode);
  operand(reg, rm, 1);
}

void Assembler::vector(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm) {
  if (wide_) {
    evex(code, reg, vvvv, rm);
  } else {
    vex(code, reg, vvvv, rm);
  }
}

void Assembler::load(std::uint8_t to, Address from) {
  vector({kMap0f, 0x6f, true}, to, 0, from);
}
void Assembler::store(Address to, std::uint8_t from) {
  vector({kMap0f, 0x7f, true}, from, 0, to);
}
void Assembler::move(std::uint8_t to, std::uint8_t from) {
  vector({kMap0f, 0x6f, true}, to, 0, from);
}
void Assembler::bitwise(Bitwise operation, std::uint8_t to, std::uint8_t first, Source second) {
  vector({kMap0f, static_cast<std::uint8_t>(operation)}, to, first, second);
}
void Assembler::ternary(std::uint8_t to, std::uint8_t second, Source third, std::uint8_t table) {
  evex({kMap0f3a, 0x25}, to, second, third);
  byte(table);
}
void Assembler::all_ones(std::uint8_t to) {
  if (wide_) {
    ternary(to, to, to, 0xff);
  } else {
    vex({kMap0f, 0x76}, to, to, to);  // equal to itself
  }
}

void Assembler::lea(Pointer to, Address from) {
  byte(0x48U | (number(to) >> 3 << 2) | number(from.base) >> 3);
  byte(0x8d);
  memory(static_cast<std::uint8_t>(to), from, 1);
}
void Assembler::push(Pointer p) {
  if (number(p) >= 8) byte(0x41);
  byte(0x50U | (number(p) & 7U));
}
void Assembler::pop(Pointer p) {
  if (number(p) >= 8) byte(0x41);
  byte(0x58U | (number(p) & 7U));
}
void Assembler::clear_upper_halves() {
  for (const unsigned b : {0xc5U, 0xf8U, 0x77U}) byte(b);
}
void Assembler::ret() {
  byte(0xc3);
}

void Assembler::append(std::span<const std::uint8_t> code) {
  bytes_.insert(bytes_.end(), code.begin(), code.end());
}
void Assembler::align(std::size_t alignment) {
  while (bytes_.size() % alignment != 0) byte(0xcc);
}

}  // namespace ludens::gdl::native
