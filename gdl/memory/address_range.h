// SPDX-License-Identifier: MIT
// Memory that is there when it is touched.
#pragma once

#include <cstddef>
#include <utility>

namespace ludens::gdl {

/// A range of addresses that hold zeros and cost nothing before they are written to, or where the
/// system can't give that, as much memory at once. Not thread-safe.
class AddressRange {
 public:
  AddressRange() = default;
  /// Empty if there are not so many addresses.
  explicit AddressRange(std::size_t bytes);
  AddressRange(AddressRange&& other) noexcept { *this = std::move(other); }
  AddressRange& operator=(AddressRange&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AddressRange();

  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] bool empty() const { return begin_ == nullptr; }
  /// For what is met in any order: the first `bytes` in large pages, where there are such.
  void prefer_large_pages(std::size_t bytes);
  /// Zeros again; the memory goes back to the system as far as its pages allow. `place` is the
  /// beginning of one.
  static void forget(void* place, std::size_t bytes);

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ludens::gdl
