// SPDX-License-Identifier: MIT
#include "gdl/native/slot_pointers.h"

namespace ludens::gdl::native {

Address SlotPointers::address(std::uint32_t slot) {
  const std::uint32_t block = spread_ ? slot / kReach : 0;
  if (block >= pointers_.size()) pointers_.resize(block + 1, 0);
  if (pointers_[block] == 0 && blocks_.size() < kPointers.size()) {
    blocks_.push_back(block);
    pointers_[block] = static_cast<std::uint8_t>(blocks_.size());
  }
  const std::size_t pointer = pointers_[block] == 0 ? 0 : pointers_[block] - 1U;
  return {kPointers[pointer],
          static_cast<std::int32_t>(static_cast<std::int64_t>(slot) * bytes_ - target(pointer))};
}

void SlotPointers::enter(Assembler& code) const {
  for (std::size_t p = kScratch; p < blocks_.size(); ++p) code.push(kPointers[p]);
  for (std::size_t p = blocks_.size(); p-- > 0;) {  // Rdi last: the others come from it
    if (target(p) != 0) {
      code.lea(kPointers[p], {Pointer::Rdi, static_cast<std::int32_t>(target(p))});
    }
  }
}

void SlotPointers::leave(Assembler& code) const {
  for (std::size_t p = blocks_.size(); p-- > kScratch;) code.pop(kPointers[p]);
}

}  // namespace ludens::gdl::native
