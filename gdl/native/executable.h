// SPDX-License-Identifier: MIT
// Memory that the processor may run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ludens::gdl::native {

/// Machine code in pages of its own, never writable and executable at the same time. Freed with its
/// owner; whoever calls into it keeps it alive.
class Executable {
 public:
  /// nullopt if the system grants no executable memory.
  static std::optional<Executable> make(std::span<const std::uint8_t> code);
  Executable(Executable&& other) noexcept;
  Executable& operator=(Executable&& other) noexcept;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  ~Executable();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// A function that starts at that offset of the code.
  template <typename Function>
  [[nodiscard]] Function* at(std::size_t offset) const {
    return reinterpret_cast<Function*>(static_cast<std::uint8_t*>(pages_) + offset);
  }

 private:
  Executable(void* pages, std::size_t size) : pages_(pages), size_(size) {}
  void* pages_;
  std::size_t size_;
};

}  // namespace ludens::gdl::native
