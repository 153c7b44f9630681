// SPDX-License-Identifier: MIT
// Machine code of x86-64 with AVX2 or AVX-512.
#include <utility>

#include "gdl/native/assembler.h"
#include "gdl/native/encoder.h"
#include "gdl/native/expression.h"
#include "gdl/native/slot_pointers.h"

namespace ludens::gdl::native {

namespace {

constexpr std::size_t kEntryAlignment = 64;
constexpr std::uint8_t kOnes = 15;  // AVX2: all ones, as there is no complement

constexpr Encoder::Abilities kAvx2{15, 2, false}, kAvx512{32, 3, false};

Bitwise bitwise_of(std::uint8_t table) {
  switch (table) {
    case kAnd:
      return Bitwise::And;
    case kOr:
      return Bitwise::Or;
    case kAndNot:
      return Bitwise::AndNot;
    default:
      return Bitwise::Xor;
  }
}

/// Writes functions contiguously. A function is identified by where it begins.
class X86Encoder final : public Encoder {
 public:
  explicit X86Encoder(std::size_t lanes)
      : Encoder(lanes == 512 ? kAvx512 : kAvx2), lanes_(lanes), all_(lanes) {
    begin();
  }

  void load(std::uint8_t to, std::uint32_t slot) override { body_->load(to, address(slot)); }
  void store(std::uint32_t slot, std::uint8_t from) override { body_->store(address(slot), from); }
  void move(std::uint8_t to, std::uint8_t from) override { body_->move(to, from); }

  void constant(std::uint8_t to, bool value) override {
    if (value) {
      body_->all_ones(to);
    } else {
      body_->bitwise(Bitwise::Xor, to, to, to);
    }
  }

  void complement(std::uint8_t to, Place from) override {
    if (lanes_ == 512) {
      body_->ternary(to, to, source(from), static_cast<std::uint8_t>(~kProjection[2]));
    } else {
      needs_ones_ = true;
      body_->bitwise(Bitwise::Xor, to, kOnes, source(from));
    }
  }

  // Only the second operand of an instruction may be in memory.
  void bitwise(std::uint8_t table, std::uint8_t to, Place first, Place second) override {
    if (first.in_slot) std::swap(first, second);
    body_->bitwise(bitwise_of(table), to, static_cast<std::uint8_t>(first.number), source(second));
  }

  void ternary(std::uint8_t to, std::uint8_t second, Place third, std::uint8_t table) override {
    body_->ternary(to, second, source(third), table);
  }

  std::optional<std::size_t> end_function(std::size_t slots) override {
    if (!pointers_->reaches(slots)) return std::nullopt;
    all_.align(kEntryAlignment);
    const std::size_t entry = all_.bytes().size();
    pointers_->enter(all_);
    if (needs_ones_) all_.all_ones(kOnes);
    all_.append(body_->bytes());
    pointers_->leave(all_);
    all_.clear_upper_halves();
    all_.ret();
    begin();
    return entry;
  }

  std::vector<std::uint8_t> finish() override { return std::move(all_).take_bytes(); }

 private:
  void begin() {
    body_.emplace(lanes_);
    pointers_.emplace(lanes_);
    needs_ones_ = false;
  }

  Address address(std::uint32_t slot) { return pointers_->address(slot); }
  Source source(Place place) {
    if (place.in_slot) return address(place.number);
    return static_cast<std::uint8_t>(place.number);
  }

  std::size_t lanes_;
  Assembler all_;
  // The body of the current function; never empty.
  std::optional<Assembler> body_;
  std::optional<SlotPointers> pointers_;
  bool needs_ones_ = false;
};

}  // namespace

std::unique_ptr<Encoder> make_x86_encoder(std::size_t lanes) {
  return std::make_unique<X86Encoder>(lanes);
}

}  // namespace ludens::gdl::native
