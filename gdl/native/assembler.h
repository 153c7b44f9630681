// SPDX-License-Identifier: MIT
// An encoder for the few x86-64 instructions that generated phases consist of.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 (VEX
// and EVEX prefixes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ludens::gdl::native {

/// General registers by their number in the encoding.
enum class Pointer : std::uint8_t {
  Rax = 0,
  Rcx = 1,
  Rdx = 2,
  Rbx = 3,
  Rbp = 5,
  Rsi = 6,
  Rdi = 7,
  R8 = 8,
  R9 = 9,
  R10 = 10,
  R11 = 11,
  R13 = 13,
  R14 = 14,
  R15 = 15,
};

/// Memory at a pointer. Rsp and R12 are not in `Pointer` because they would need a longer encoding.
struct Address {
  Pointer base = Pointer::Rdi;
  std::int32_t displacement = 0;
};

/// The last source of an instruction: a vector register or memory.
struct Source {
  Source(std::uint8_t vector_register) : in_memory(false), number(vector_register) {}
  Source(Address where) : in_memory(true), address(where) {}
  bool in_memory;
  std::uint8_t number = 0;
  Address address;
};

/// The values are opcodes. AndNot is ~first & second.
enum class Bitwise : std::uint8_t { And = 0xdb, AndNot = 0xdf, Or = 0xeb, Xor = 0xef };

/// Writes instructions on vector registers of 256 bits (AVX2; 0..15) or 512 bits (AVX-512; 0..31).
/// Memory operands must be aligned to the register's size.
class Assembler {
 public:
  explicit Assembler(std::size_t bits) : wide_(bits == 512) {}

  void load(std::uint8_t to, Address from);
  void store(Address to, std::uint8_t from);
  void move(std::uint8_t to, std::uint8_t from);
  void bitwise(Bitwise operation, std::uint8_t to, std::uint8_t first, Source second);
  /// 512 bits only. Bit `4a + 2b + c` of `table` is the result where the bits of `to`, `second` and
  /// `third` are a, b and c.
  void ternary(std::uint8_t to, std::uint8_t second, Source third, std::uint8_t table);
  void all_ones(std::uint8_t to);

  void lea(Pointer to, Address from);
  void push(Pointer p);
  void pop(Pointer p);
  void clear_upper_halves();
  void ret();

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::uint8_t> take_bytes() && { return std::move(bytes_); }
  void append(std::span<const std::uint8_t> code);
  /// Pads to a multiple of `alignment` with instructions that stop the program if run.
  void align(std::size_t alignment);

 private:
  /// The fields that distinguish vector instructions with the prefix 66.
  struct Code {
    std::uint8_t map, opcode;
    bool w = false;  // of EVEX only
  };
  void vector(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm);
  void evex(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm);
  void vex(Code code, std::uint8_t reg, std::uint8_t vvvv, const Source& rm);
  /// ModRM of a register or of memory, with its displacement. `scale`: what a displacement of one
  /// byte is multiplied with.
  void operand(std::uint8_t reg, const Source& rm, std::int32_t scale);
  void memory(std::uint8_t reg, Address a, std::int32_t scale);
  void byte(unsigned value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void word32(std::int32_t value);

  bool wide_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace ludens::gdl::native
