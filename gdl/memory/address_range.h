// SPDX-License-Identifier: MIT
// Memory that is allocated when it is touched.
#pragma once

#include <cstddef>
#include <utility>

namespace ludens::gdl {

/// A range of addresses that hold zeros and cost nothing before they are written to. If the system
/// can't provide that, the memory is allocated at once. Not thread-safe.
class AddressRange {
 public:
  /// Bytes, on systems that have large pages at all.
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;

  AddressRange() = default;
  /// Empty if there are not that many addresses.
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
  /// For memory that is accessed in random order: puts it into large pages, as many as there is
  /// room for, if the system has them. `place` is the beginning of a page.
  static void prefer_large_pages(void* place, std::size_t bytes);
  /// Makes them zeros again; the memory goes back to the system as far as its pages allow. `place`
  /// is the beginning of a page.
  static void forget(void* place, std::size_t bytes);

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ludens::gdl
