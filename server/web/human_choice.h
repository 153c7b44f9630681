// SPDX-License-Identifier: MIT
// When people are asked to choose.
#pragma once

#include <string>
#include <vector>

namespace ludens::server {

/// Whether people are asked: not if they have only one move, and it has no arguments (`noop`).
inline bool is_choice(const std::vector<std::string>& legal) {
  return legal.size() != 1 || legal.front().find(' ') != std::string::npos;
}

}  // namespace ludens::server
