// SPDX-License-Identifier: MIT
// Registers for the values of a phase, and its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gdl/memory/limits.h"
#include "gdl/native/encoder.h"
#include "gdl/native/selection.h"

namespace ludens::gdl::native {

struct PhaseCode {
  std::size_t entry;  // of the function, as the encoder returns it
  /// How many slots it uses: those below `free_slot`, and those for values without a register.
  std::uint32_t slots;
};

/// Writes the function that runs the operations. As there are no branches, every next use is known:
/// the register that is freed is the one whose value is needed last (Belady, A study of replacement
/// algorithms for a virtual-storage computer, 1966). Values that do not fit go to slots from
/// `free_slot` on, which are reused. nullopt if stopped, or if slots are too far for the encoding.
std::optional<PhaseCode> allocate(const Operations& operations, Encoder& code,
                                  std::uint32_t free_slot, const StopSignal* stop);

}  // namespace ludens::gdl::native
