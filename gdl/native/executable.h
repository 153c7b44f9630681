// SPDX-License-Identifier: MIT
// Code that the processor may run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ludens::gdl::native {

/// On x86-64, this is machine code in pages of its own, never writable and executable at the same
/// time. In a web page, it is a WebAssembly module over this program's memory, whose exports `0`,
/// `1` and so on are in the table of functions. It is freed with its owner; callers must keep it
/// alive.
class Executable {
 public:
  /// nullopt if the system provides no executable memory, or the browser no module.
  static std::optional<Executable> make(std::span<const std::uint8_t> code);
  Executable(Executable&& other) noexcept;
  Executable& operator=(Executable&& other) noexcept;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  ~Executable();

  /// Approximately how many bytes of memory it takes.
  [[nodiscard]] std::size_t size() const;
  /// The function that begins at this offset of the code, or the export with this number.
  template <typename Function>
  [[nodiscard]] Function* at(std::size_t entry) const {
    return reinterpret_cast<Function*>(begin_ + entry);
  }

 private:
  Executable(std::byte* begin, std::size_t size) : begin_(begin), size_(size) {}
  std::byte* begin_;  // or its place in the table of functions; null if empty
  std::size_t size_;  // of the code
};

}  // namespace ludens::gdl::native
