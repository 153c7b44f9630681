// SPDX-License-Identifier: MIT
// What people are asked to choose.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

/// Whether people are asked: not where they have one move, and it is without arguments (`noop`).
inline bool is_choice(const std::vector<std::string>& legal) {
  return legal.size() != 1 || legal.front().find(' ') != std::string::npos;
}

}  // namespace ludens::server
