// SPDX-License-Identifier: MIT
// Registers for the values of a phase, and its instructions.
#pragma once

#include <cstdint>
#include <span>

#include "gdl/memory/limits.h"
#include "gdl/native/assembler.h"
#include "gdl/native/selection.h"

namespace ludens::gdl::native {

struct PhaseCode {
  Assembler code;  // a whole function `void(void* slots)`
  std::uint32_t
      slots;  // how many it uses: those below `free_slot`, and for values without register
};

/// Writes the function that runs the operations over slots of `bits` (256 or 512) bits. As there
/// are no branches, every next use is known: the register that is given up is the one whose value
/// is needed last (Belady, A study of replacement algorithms for a virtual-storage computer, 1966).
/// Values that do not fit go to slots from `free_slot` on, which are used again. nullopt if
/// stopped, or if displacements would be too large for the encoding.
std::optional<PhaseCode> allocate(const Operations& operations, std::size_t bits,
                                  std::uint32_t free_slot, const StopSignal* stop);

}  // namespace ludens::gdl::native
