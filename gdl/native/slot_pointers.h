// SPDX-License-Identifier: MIT
// How generated code finds its slots.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gdl/native/assembler.h"

namespace ludens::gdl::native {

/// Pointers to the blocks of slots that code uses first, so that nearly every slot is within reach
/// of a displacement of one byte: on AVX-512, where such a displacement counts in registers of 64
/// bytes, an instruction takes 7 bytes instead of 10. With AVX2 it counts in bytes, and one pointer
/// is enough.
class SlotPointers {
 public:
  explicit SlotPointers(std::size_t bits)
      : bytes_(static_cast<std::int64_t>(bits / 8)), spread_(bits == 512) {}

  /// False if the slot is too far for the encoding.
  [[nodiscard]] bool reaches(std::uint64_t slots) const {
    return slots * static_cast<std::uint64_t>(bytes_) < (std::uint64_t{1} << 31);
  }
  Address address(std::uint32_t slot);
  /// Write the code around a function's body that sets up and restores the pointers that `address`
  /// used. The first argument is the address of slot 0.
  void enter(Assembler& code) const;
  void leave(Assembler& code) const;

 private:
  static constexpr std::uint32_t kReach = 256;  // slots per pointer
  // The first nine may be changed by any function; the others belong to the caller.
  static constexpr std::array kPointers{Pointer::Rdi, Pointer::Rax, Pointer::Rcx, Pointer::Rdx,
                                        Pointer::Rsi, Pointer::R8,  Pointer::R9,  Pointer::R10,
                                        Pointer::R11, Pointer::Rbx, Pointer::Rbp, Pointer::R13,
                                        Pointer::R14, Pointer::R15};
  static constexpr std::size_t kScratch = 9;

  /// Where a pointer points, from slot 0 on, in bytes.
  [[nodiscard]] std::int64_t target(std::size_t pointer) const {
    return spread_ ? (std::int64_t{blocks_[pointer]} * kReach + kReach / 2) * bytes_ : 0;
  }

  std::int64_t bytes_;
  bool spread_;
  std::vector<std::uint32_t> blocks_;   // [pointer]
  std::vector<std::uint8_t> pointers_;  // [block]: one more than its pointer, or 0
};

}  // namespace ludens::gdl::native
