// SPDX-License-Identifier: MIT
// Checksums of the lines of a file, each over its line and all lines before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ludens::gdl {

/// The lines of one file of JSON objects, in order. The last member of a line, "sum", is the
/// checksum (FNV-1a) of everything up to it: a line that was changed, and one whose predecessors
/// were changed, removed, added or exchanged, does not fit. It detects damage and careless edits,
/// not malice. Writing and reading share the state, so that a file which was read can be continued.
/// A copy is a point to return to.
class LineChain {
 public:
  enum class Seal { Good, Missing, Wrong };

  /// The next line of the file, with its line end. `object`: a JSON object on one line, without
  /// line end and without "sum".
  [[nodiscard]] std::string seal(std::string_view object);
  /// Whether the next line, without its line end, is what was written there. One that is not
  /// counts as it is: a reader who goes on checks later lines against it.
  Seal read(std::string_view line);

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace ludens::gdl
