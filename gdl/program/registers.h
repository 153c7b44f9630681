// SPDX-License-Identifier: MIT
// Memory for slots.
#pragma once

#include <cstddef>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// Memory for registers of any width, counted against a budget.
class Registers {
 public:
  Registers() = default;
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;
  ~Registers() { reset(); }

  /// Allocates zeroed memory. False if the budget does not allow it.
  bool allocate(std::size_t bytes, MemoryBudget* budget);
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

 private:
  void reset();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  MemoryBudget* budget_ = nullptr;
};

}  // namespace ludens::gdl
