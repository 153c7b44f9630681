// SPDX-License-Identifier: MIT
#include "gdl/native/allocation.h"

#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace ludens::gdl::native {

namespace {

constexpr std::uint32_t kNever = 0xffffffff;
constexpr std::uint8_t kNoRegister = 0xff;
/// A value in memory gets a register of its own if its next use is at most this many operations
/// away.
constexpr std::uint32_t kNear = 40;
constexpr std::size_t kPollEvery = 4096;  // operations

constexpr bool is_short(std::uint8_t table) {
  return table == kAnd || table == kAndNot || table == kOr || table == kXor;
}

class Allocator {
 public:
  Allocator(const Operations& operations, Encoder& code, std::uint32_t free_slot)
      : ops_(operations),
        code_(code),
        can_(code.abilities()),
        free_(all_registers()),
        slot_(operations.slot),
        register_(slot_.size(), kNoRegister),
        next_use_(slot_.size(), kNever),
        first_spill_(free_slot),
        slots_(free_slot) {}

  std::optional<PhaseCode> run(const StopSignal* stop) {
    if (!find_uses(stop)) return std::nullopt;
    find_owners();
    if (stop != nullptr && stop->stop_requested()) return std::nullopt;
    for (now_ = 0; now_ < ops_.list.size(); ++now_) {
      if (now_ % kPollEvery == 0 && stop != nullptr && stop->stop_requested()) return std::nullopt;
      step(ops_.list[now_]);
      if (code_.is_long()) split();
    }
    const auto entry = code_.end_function(slots_);
    if (!entry) return std::nullopt;
    return PhaseCode{*entry, slots_};
  }

 private:
  /// An operation whose operands have been put where an instruction can take them.
  struct Ready {
    std::array<std::uint8_t, 3> in{kNoRegister, kNoRegister, kNoRegister};  // in memory if none
    std::uint32_t dying = 0;  // registers of operands that nothing needs any more
  };

  // [operation * 3 + operand]: the operation that uses the same value next. Backwards, so that
  // next_use_ ends up with the first uses. False if stopped.
  bool find_uses(const StopSignal* stop) {
    after_.assign(ops_.list.size() * 3, kNever);
    for (std::size_t i = ops_.list.size(); i-- > 0;) {
      if (i % kPollEvery == 0 && stop != nullptr && stop->stop_requested()) return false;
      const Expression& f = ops_.list[i].function;
      for (unsigned k = 0; k < f.inputs; ++k) after_[i * 3 + k] = next_use_[f.in[k]];
      for (unsigned k = 0; k < f.inputs; ++k) next_use_[f.in[k]] = static_cast<std::uint32_t>(i);
    }
    return true;
  }

  void find_owners() {
    for (Value v = 0; v < slot_.size(); ++v) {
      if (slot_[v] == kNoSlot) continue;
      if (slot_[v] >= owner_.size()) owner_.resize(slot_[v] + 1, kNever);
      owner_[slot_[v]] = v;
    }
  }

  // Moves an input that is still needed to a register: its slot is about to be overwritten.
  void save_input_in(std::uint32_t slot) {
    const Value v = slot < owner_.size() ? owner_[slot] : kNever;
    if (v == kNever || slot_[v] != slot || next_use_[v] == kNever) return;
    if (register_[v] == kNoRegister) fetch(v);
    slot_[v] = kNoSlot;
  }

  void step(const Operation& op) {
    const Expression& f = op.function;
    pinned_ = 0;
    for (unsigned k = 0; k < f.inputs; ++k) {
      if (register_[f.in[k]] != kNoRegister) pinned_ |= bit(register_[f.in[k]]);
    }
    const int in_memory = choose_memory_operand(f);
    for (unsigned k = 0; k < f.inputs; ++k) {
      if (static_cast<int>(k) != in_memory && register_[f.in[k]] == kNoRegister) fetch(f.in[k]);
    }
    Ready ready;
    for (unsigned k = 0; k < f.inputs; ++k) {
      const Value v = f.in[k];
      ready.in[k] = register_[v];
      next_use_[v] = after_[now_ * 3 + k];
      if (next_use_[v] != kNever) continue;
      if (register_[v] != kNoRegister) ready.dying |= bit(register_[v]);
      release(v);
    }
    const std::uint8_t to = emit(f, ready);
    hold(op.out, to);
    if (op.keep != kNoSlot) {
      pinned_ = bit(to);
      save_input_in(op.keep);
      code_.store(op.keep, to);
      slot_[op.out] = op.keep;
    }
    if (next_use_[op.out] == kNever) release(op.out);
    // Not earlier, because the instruction may have read the old contents.
    spare_.insert(spare_.end(), returned_.begin(), returned_.end());
    returned_.clear();
  }

  // The operand in memory that is needed last, unless that is soon: an instruction can read one
  // operand from memory. -1: none.
  int choose_memory_operand(const Expression& f) const {
    int best = -1;
    std::uint32_t farthest = 0;
    for (unsigned k = 0; k < f.inputs; ++k) {
      if (register_[f.in[k]] != kNoRegister || !may_be_in_memory(f, k)) continue;
      const std::uint32_t next = after_[now_ * 3 + k];
      if (next != kNever && next - now_ <= kNear) continue;
      if (best >= 0 && next <= farthest) continue;
      best = static_cast<int>(k);
      farthest = next;
    }
    return best;
  }

  // ~a & b may complement a register only; a ternary instruction is another way.
  [[nodiscard]] bool may_be_in_memory(const Expression& f, unsigned k) const {
    return has_ternary() || can_.complements_slots || k != 0 || f.inputs != 2 || f.table != kAndNot;
  }
  [[nodiscard]] bool has_ternary() const { return can_.most_inputs == 3; }

  [[nodiscard]] std::uint32_t all_registers() const {
    return can_.registers == 32 ? ~std::uint32_t{0} : bit(can_.registers) - 1;
  }

  static std::uint32_t bit(unsigned r) { return std::uint32_t{1} << (r & 31U); }  // below 32

  void hold(Value v, std::uint8_t r) {
    free_ &= ~bit(r);
    register_[v] = r;
    held_[r] = v;
  }

  // The value is not needed any more.
  void release(Value v) {
    if (register_[v] != kNoRegister) free_ |= bit(register_[v]);
    register_[v] = kNoRegister;
    if (slot_[v] != kNoSlot && slot_[v] >= first_spill_) returned_.push_back(slot_[v]);
  }

  void fetch(Value v) {
    const std::uint8_t r = take(pinned_);
    code_.load(r, slot_[v]);
    hold(v, r);
    pinned_ |= bit(r);
  }

  // A register that is not pinned.
  std::uint8_t take(std::uint32_t pinned) {
    if (const std::uint32_t usable = free_ & ~pinned; usable != 0) {
      return static_cast<std::uint8_t>(std::countr_zero(usable));
    }
    std::uint8_t worst = kNoRegister;
    std::uint32_t farthest = 0;
    for (std::uint8_t r = 0; r < can_.registers; ++r) {
      if (((pinned | free_) & bit(r)) != 0) continue;
      const Value v = held_[r];
      // A value that has to be stored first is worth keeping longer.
      const std::uint32_t distance = (next_use_[v] - now_) * (slot_[v] == kNoSlot ? 1 : 2);
      if (worst != kNoRegister && distance <= farthest) continue;
      worst = r;
      farthest = distance;
    }
    spill(held_[worst]);
    return worst;
  }
  // A register that may also have held an operand that is no longer needed.
  std::uint8_t take_result(const Ready& ready) { return take(pinned_ & ~ready.dying); }

  void spill(Value v) {
    if (slot_[v] == kNoSlot) {
      if (spare_.empty()) {
        slot_[v] = slots_++;
      } else {
        slot_[v] = spare_.back();
        spare_.pop_back();
      }
      code_.store(slot_[v], register_[v]);
    }
    free_ |= bit(register_[v]);
    register_[v] = kNoRegister;
  }

  // What registers hold would be lost.
  void split() {
    for (std::uint8_t r = 0; r < can_.registers; ++r) {
      if ((free_ & bit(r)) == 0) spill(held_[r]);
    }
    code_.split();
  }

  [[nodiscard]] Place where(const Expression& f, const Ready& ready, unsigned k) const {
    if (ready.in[k] != kNoRegister) return {false, ready.in[k]};
    return {true, slot_[f.in[k]]};
  }

  // Returns the register of the result.
  std::uint8_t emit(const Expression& f, const Ready& ready) {
    if (f.inputs == 0) return emit_constant(f.table != 0);
    if (f.inputs == 1) return emit_copy(f, ready);
    const bool complements_memory =
        f.table == kAndNot && ready.in[0] == kNoRegister && !can_.complements_slots;
    if (f.inputs == 2 && is_short(f.table) && !complements_memory) return emit_short(f, ready);
    return emit_ternary(f, ready);
  }

  std::uint8_t emit_constant(bool value) {
    const std::uint8_t to = take(pinned_);
    code_.constant(to, value);
    return to;
  }

  std::uint8_t emit_copy(const Expression& f, const Ready& ready) {
    const std::uint8_t to = take_result(ready);
    const Place from = where(f, ready, 0);
    if (f.table != kProjection[0]) {
      code_.complement(to, from);
    } else {
      copy(to, from);
    }
    return to;
  }

  void copy(std::uint8_t to, Place from) {
    if (from.in_slot) {
      code_.load(to, from.number);
    } else {
      code_.move(to, static_cast<std::uint8_t>(from.number));
    }
  }

  std::uint8_t emit_short(const Expression& f, const Ready& ready) {
    const std::uint8_t to = take_result(ready);
    code_.bitwise(f.table, to, where(f, ready, 0), where(f, ready, 1));
    return to;
  }

  // The instruction overwrites its first operand: one that dies, or a copy.
  std::uint8_t emit_ternary(const Expression& f, Ready ready) {
    unsigned first = 3, memory = 3;
    for (unsigned k = f.inputs; k-- > 0;) {
      if (ready.in[k] == kNoRegister) {
        memory = k;
      } else if ((ready.dying & bit(ready.in[k])) != 0) {
        first = k;
      }
    }
    if (first == 3) {
      first = memory == 3 ? 0 : memory;
      const Place from = where(f, ready, first);
      const std::uint8_t copied = take(pinned_);
      copy(copied, from);
      ready.in[first] = copied;
    }
    const std::uint8_t to = ready.in[first];
    // With two inputs the second place is ignored; a memory operand can only be in the third.
    unsigned second = first == 0 ? 1 : 0, third = 3 - first - second;
    if (f.inputs == 2 ? second != 2 : second == memory) std::swap(second, third);
    std::array<std::uint8_t, 3> place{};
    place[first] = 0;
    place[second] = 1;
    place[third] = 2;
    code_.ternary(to, f.inputs == 2 ? to : ready.in[second], where(f, ready, third),
                  permute(f.table, place));
    return to;
  }

  const Operations& ops_;
  Encoder& code_;
  const Encoder::Abilities can_;
  std::uint32_t free_;  // registers, one bit each
  std::uint32_t pinned_ = 0;
  std::vector<Value> owner_;             // [slot]: the input that is there, or kNever
  std::vector<std::uint32_t> slot_;      // [value], or kNoSlot while it is only in a register
  std::vector<std::uint8_t> register_;   // [value], or kNoRegister
  std::vector<std::uint32_t> next_use_;  // [value]: operation, or kNever
  std::array<Value, 32> held_{};         // [register], where it is not free
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> spare_, returned_;  // slots to reuse: now, and later
  std::uint32_t first_spill_, slots_;
  std::uint32_t now_ = 0;
};

}  // namespace

std::optional<PhaseCode> allocate(const Operations& operations, Encoder& code,
                                  std::uint32_t free_slot, const StopSignal* stop) {
  return Allocator(operations, code, free_slot).run(stop);
}

}  // namespace ludens::gdl::native
