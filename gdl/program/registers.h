// SPDX-License-Identifier: MIT
// Memory for slots.
#pragma once

#include <cstddef>

#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

/// Memory for registers of any width, counted against a budget. In large pages, where there is
/// enough of it: the slots of a large network are too many for the addresses that a processor
/// remembers of small ones.
class Registers {
 public:
  Registers() = default;
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;
  ~Registers() { reset(); }

  /// Allocates zeroed memory. False if the budget does not allow it; throws `std::bad_alloc`.
  bool allocate(std::size_t bytes, MemoryBudget* budget);
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

 private:
  void reset();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  HeldMemory held_;
};

}  // namespace ludens::gdl
