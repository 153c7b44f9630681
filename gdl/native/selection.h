// SPDX-License-Identifier: MIT
// Turns gates into operations that are one instruction each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/memory/limits.h"
#include "gdl/native/expression.h"

namespace ludens::gdl::native {

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

/// `out` = `function`, which is stored in the slot `keep` unless that is kNoSlot. With two inputs
/// it is AND, ~a & b, OR or XOR wherever `keep` does not ask for the complement of these.
struct Operation {
  Value out;
  Expression function;
  std::uint32_t keep;
};

/// A phase as straight-line code. Values are numbered; those that are in memory from the start have
/// a slot.
struct Operations {
  std::vector<Operation> list;
  std::vector<std::uint32_t> slot;  // [value], or kNoSlot
};

/// Makes the step: fluent f (in slot f) becomes `next[f]` in the lanes that the slot `moving` has.
struct Advance {
  std::uint32_t moving;
  std::span<const kernel::Edge> next;
};

/// The gates of a phase as operations of at most `most_inputs` (2 or 3) inputs, in an order that
/// needs few registers: depth first, gates that are used once merged into their users. `kept`:
/// slots that are read when the phase is over; gates that none of them needs vanish. `slots`: how
/// many slots the phase uses. `advance` comes last; null: none. nullopt if stopped.
std::optional<Operations> select(const kernel::Phase& phase, std::span<const std::uint32_t> kept,
                                 const Advance* advance, std::size_t slots, unsigned most_inputs,
                                 const StopSignal* stop);

}  // namespace ludens::gdl::native
