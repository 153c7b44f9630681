// SPDX-License-Identifier: MIT
// What the allocator needs from a target: the few instructions that phases consist of, on registers
// and slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ludens::gdl::native {

/// Where an operand is.
struct Place {
  bool in_slot;
  std::uint32_t number;  // of the register or the slot
};

/// Writes functions `void(void* slots)`, one after another.
class Encoder {
 public:
  /// What an allocator must know about the instructions.
  struct Abilities {
    unsigned registers;      // at most 32, numbered from 0
    unsigned most_inputs;    // of an instruction: 2, or 3 if there is `ternary`
    bool complements_slots;  // whether ~a & b takes an `a` that is in a slot
  };

  explicit Encoder(const Abilities& abilities) : abilities_(abilities) {}
  virtual ~Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  [[nodiscard]] const Abilities& abilities() const { return abilities_; }

  virtual void load(std::uint8_t to, std::uint32_t slot) = 0;
  virtual void store(std::uint32_t slot, std::uint8_t from) = 0;
  virtual void move(std::uint8_t to, std::uint8_t from) = 0;
  virtual void constant(std::uint8_t to, bool value) = 0;
  virtual void complement(std::uint8_t to, Place from) = 0;
  /// `table` is kAnd, kAndNot, kOr or kXor (expression.h). At most one operand is in a slot.
  virtual void bitwise(std::uint8_t table, std::uint8_t to, Place first, Place second) = 0;
  /// Bit `4a + 2b + c` of `table` is the result where the bits of `to`, `second` and `third` are a,
  /// b and c.
  virtual void ternary(std::uint8_t /*to*/, std::uint8_t /*second*/, Place /*third*/,
                       std::uint8_t /*table*/) {}

  /// Whether the function should be continued in another one because it grows too long for the
  /// target.
  [[nodiscard]] virtual bool is_long() const { return false; }
  /// Continues in another function. Registers are then empty.
  virtual void split() {}

  /// Ends the function, which uses this many slots. Returns its number for `Executable::at`;
  /// nullopt if slots are too far away for the instructions.
  virtual std::optional<std::size_t> end_function(std::size_t slots) = 0;
  /// All functions, as `Executable::make` takes them. Called once, at the end.
  virtual std::vector<std::uint8_t> finish() = 0;

 private:
  Abilities abilities_;
};

/// AVX2 (256 lanes) or AVX-512 (512).
std::unique_ptr<Encoder> make_x86_encoder(std::size_t lanes);
/// Registers of 128 bits. A module with imported memory `e.m` and the functions as exports `0`, `1`
/// and so on.
std::unique_ptr<Encoder> make_wasm_encoder();

}  // namespace ludens::gdl::native
