// SPDX-License-Identifier: MIT
// An input's bytes as choices of something that is drawn.
#pragma once

#include <cstdint>
#include <string_view>

namespace ludens::fuzz {

/// A choice a byte; when they are used up, always the first.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t below(std::uint32_t n) {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte % n;
  }

 private:
  std::string_view bytes_;
};

}  // namespace ludens::fuzz
