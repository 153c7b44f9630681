// SPDX-License-Identifier: MIT
// Memory of one context, counted against its budget.
#pragma once

#include <cstddef>
#include <vector>

#include "gdl/memory/limits.h"

namespace ludens::gdl::interpreter {

/// Reserves from a `MemoryBudget` in chunks, so that the shared counter is rarely touched. For one
/// thread.
class Account {
 public:
  explicit Account(MemoryBudget* budget) : budget_(budget) {}
  ~Account() {
    if (budget_ != nullptr) budget_->release(reserved_);
  }
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  /// Throws BudgetExhausted, with nothing charged.
  void charge(std::size_t bytes) {
    if (used_ + bytes > reserved_) reserve(used_ + bytes - reserved_);
    used_ += bytes;
  }
  void refund(std::size_t bytes) noexcept { used_ -= bytes; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] MemoryBudget* budget() const noexcept { return budget_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{64} << 10;

  void reserve(std::size_t missing) {
    const std::size_t bytes = (missing + kChunk - 1) / kChunk * kChunk;
    const bool granted =
        budget_ != nullptr ? budget_->reserve(bytes) : reserved_ + bytes <= kUnbudgetedBytes;
    if (!granted) throw BudgetExhausted();
    reserved_ += bytes;
  }

  MemoryBudget* budget_;
  std::size_t used_ = 0, reserved_ = 0;
};

/// Allocator of the containers of a context; without an account it counts nothing (what belongs to
/// the machine itself).
template <class T>
class Counted {
 public:
  using value_type = T;
  explicit Counted(Account* account = nullptr) : account_(account) {}
  template <class U>
  Counted(const Counted<U>& other) : account_(other.account()) {}  // NOLINT: rebinding converts

  T* allocate(std::size_t n) {
    if (account_ != nullptr) account_->charge(n * sizeof(T));
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) noexcept {
    if (account_ != nullptr) account_->refund(n * sizeof(T));
    std::allocator<T>().deallocate(p, n);
  }
  [[nodiscard]] Account* account() const noexcept { return account_; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.account_ == b.account_; }

 private:
  Account* account_;
};

template <class T>
using CountedVector = std::vector<T, Counted<T>>;

}  // namespace ludens::gdl::interpreter
