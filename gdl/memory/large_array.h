// SPDX-License-Identifier: MIT
// An array that grows to hundreds of megabytes without stopping for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace ludens::gdl {

/// An array of plain values. Large blocks grow by the C library's realloc, for which the kernel
/// moves pages and copies nothing: there is no pause, and there are never two copies at once.
/// Capacity beyond the end has not been touched and costs no memory.
template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  ~LargeArray() { std::free(data_); }
  LargeArray(const LargeArray& other) { append(other.data_, other.size_); }
  LargeArray(LargeArray&& other) noexcept { swap(other); }
  LargeArray& operator=(LargeArray other) noexcept {
    swap(other);
    return *this;
  }

  /// Makes it `n` values of zero bytes, in pages that are only allocated when they are touched.
  void assign_zero(std::size_t n) {
    std::free(data_);
    data_ = nullptr;
    size_ = capacity_ = 0;
    if (n == 0) return;
    data_ = static_cast<T*>(std::calloc(n, sizeof(T)));
    if (data_ == nullptr) throw std::bad_alloc();
    size_ = capacity_ = n;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T* values, std::size_t n) {
    if (n == 0) return;
    if (size_ + n > capacity_) reserve(size_ + n);
    std::memcpy(static_cast<void*>(data_ + size_), values, n * sizeof(T));
    size_ += n;
  }
  void clear() { size_ = 0; }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  void reserve(std::size_t n) {
    const std::size_t larger = std::max({n, capacity_ + capacity_ / 2, std::size_t{8}});
    auto* grown = static_cast<T*>(std::realloc(static_cast<void*>(data_), larger * sizeof(T)));
    if (grown == nullptr) throw std::bad_alloc();
    data_ = grown;
    capacity_ = larger;
  }
  void swap(LargeArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace ludens::gdl
