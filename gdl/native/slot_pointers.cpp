#include "gdl/native/slot_pointers.h"

namespace ludens::gdl::native {

Address SlotPointers::address(std::uint32_t slot) {
  std::size_t pointer = spread_ ? slot / kReach : 0;
  if (pointer >= kPointers.size()) pointer = 0;
  used_[pointer] = true;
  return {kPointers[pointer],
          static_cast<std::int32_t>(static_cast<std::int64_t>(slot) * bytes_ - middle(pointer))};
}

void SlotPointers::enter(Assembler& code) const {
  for (std::size_t p = kScratch; p < kPointers.size(); ++p) {
    if (used_[p]) code.push(kPointers[p]);
  }
  for (std::size_t p = kPointers.size(); p-- > 0;) {  // Rdi last: the others come from it
    if (used_[p] && middle(p) != 0) {
      code.lea(kPointers[p], {Pointer::Rdi, static_cast<std::int32_t>(middle(p))});
    }
  }
}

void SlotPointers::leave(Assembler& code) const {
  for (std::size_t p = kPointers.size(); p-- > kScratch;) {
    if (used_[p]) code.pop(kPointers[p]);
  }
}

}  // namespace ludens::gdl::native
