// SPDX-License-Identifier: MIT
// Memory that stays counted as long as what stands in it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// A part of a budget, given back by the destructor. It keeps a budget alive that shared pointers
/// own, since machines may outlive the match they were made for; any other must outlive it.
class HeldMemory {
 public:
  HeldMemory() = default;
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;
  ~HeldMemory() { release(); }

  /// False, and nothing more held, if the budget does not allow it; null allows anything. Called
  /// again, it holds so many more of the same budget.
  [[nodiscard]] bool reserve(std::size_t bytes, MemoryBudget* budget) {
    if (budget == nullptr) return true;
    if (!budget->reserve(bytes)) return false;
    if (budget_ == nullptr) owner_ = budget->weak_from_this().lock();
    budget_ = budget;
    bytes_ += bytes;
    return true;
  }
  /// Gives it back early.
  void release() {
    if (budget_ != nullptr) budget_->release(bytes_);
    budget_ = nullptr;
    owner_.reset();
    bytes_ = 0;
  }

 private:
  MemoryBudget* budget_ = nullptr;
  std::shared_ptr<MemoryBudget> owner_;  // null: somebody else keeps the budget
  std::size_t bytes_ = 0;
};

/// What vectors have taken, without what their elements point to.
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
