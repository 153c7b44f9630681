// SPDX-License-Identifier: MIT
// A place in a rulesheet, as diagnostics name it.
#pragma once

#include <cstdint>

namespace ludens::gdl {

/// Lines and columns count from 1, columns in bytes; `offset` is the byte offset from 0. `form` is
/// the number, from 1, of the top-level form that contains the place: START carries a whole
/// rulesheet on one line, where "form 37" helps more than "column 20114".
struct Location {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t offset = 0;
  std::uint32_t form = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

}  // namespace ludens::gdl
