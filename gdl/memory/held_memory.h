// SPDX-License-Identifier: MIT
// Memory that stays counted as long as it is used.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// A part of a budget, which the destructor releases. It keeps a budget that shared pointers own
/// alive, since machines may outlive the match they were made for. Any other budget must outlive
/// it.
class HeldMemory {
 public:
  HeldMemory() = default;
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;
  ~HeldMemory() { release(); }

  /// Returns false, and holds nothing more, if the budget does not allow it; null allows anything.
  /// If called again, it holds this many more bytes of the same budget.
  [[nodiscard]] bool reserve(std::size_t bytes, MemoryBudget* budget) {
    if (budget == nullptr) return true;
    if (!budget->reserve(bytes)) return false;
    if (budget_ == nullptr) owner_ = budget->weak_from_this().lock();
    budget_ = budget;
    bytes_ += bytes;
    return true;
  }
  /// Holds at least this many bytes in total, of which it reserves what is missing in whole pieces:
  /// a budget that threads share is then rarely touched. Otherwise as `reserve`.
  [[nodiscard]] bool hold(std::size_t bytes, MemoryBudget* budget, std::size_t piece = 1) {
    if (bytes <= bytes_) return true;
    return reserve((bytes - bytes_ + piece - 1) / piece * piece, budget);
  }
  /// Releases the memory early.
  void release() {
    if (budget_ != nullptr) budget_->release(bytes_);
    budget_ = nullptr;
    owner_.reset();
    bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  MemoryBudget* budget_ = nullptr;
  std::shared_ptr<MemoryBudget> owner_;  // null: the budget is kept alive elsewhere
  std::size_t bytes_ = 0;
};

/// The bytes that vectors have allocated, without what their elements point to.
template <typename... T>
[[nodiscard]] std::size_t bytes_of(const std::vector<T>&... vectors) {
  return (0 + ... + (vectors.capacity() * sizeof(T)));
}
template <typename T>
[[nodiscard]] std::size_t bytes_of_rows(const std::vector<std::vector<T>>& rows) {
  std::size_t bytes = bytes_of(rows);
  for (const std::vector<T>& row : rows) bytes += bytes_of(row);
  return bytes;
}

}  // namespace ludens::gdl
