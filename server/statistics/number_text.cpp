// SPDX-License-Identifier: MIT
#include "server/statistics/number_text.h"

#include <array>
#include <cstdio>

namespace ludens::server {

std::string number_text(const char* format, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

}  // namespace ludens::server
