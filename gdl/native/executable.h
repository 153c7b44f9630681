// SPDX-License-Identifier: MIT
// Code that the processor may run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ludens::gdl::native {

/// On x86-64, machine code in pages of its own, never writable and executable at the same time. In
/// a page, a module of WebAssembly over this program's memory, whose exports `0`, `1` and so on
/// stand in the table of functions. Freed with its owner; whoever calls into it keeps it alive.
class Executable {
 public:
  /// nullopt if the system grants no executable memory, or the browser no module.
  static std::optional<Executable> make(std::span<const std::uint8_t> code);
  Executable(Executable&& other) noexcept;
  Executable& operator=(Executable&& other) noexcept;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  ~Executable();

  /// Bytes of memory that it takes, about.
  [[nodiscard]] std::size_t size() const;
  /// The function that begins at that offset of the code; the export of that number.
  template <typename Function>
  [[nodiscard]] Function* at(std::size_t entry) const {
    return reinterpret_cast<Function*>(begin_ + entry);
  }

 private:
  Executable(std::byte* begin, std::size_t size) : begin_(begin), size_(size) {}
  std::byte* begin_;  // or its place in the table of functions; null: nothing
  std::size_t size_;  // of the code
};

}  // namespace ludens::gdl::native
