// SPDX-License-Identifier: MIT
// Recorded playouts of an independent reasoner, as gzip of JSON lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// What the reference says about one state. Terms are written `( f a b )`, folded to lower case.
struct TraceStep {
  std::uint32_t step = 0;          // joint moves made before
  std::vector<std::string> state;  // sorted
  bool terminal = false;
  std::vector<std::vector<std::string>> legal;  // by role, sorted; empty if not recorded
  /// By role; nullopt if the reference does not find exactly one value. Empty: not recorded.
  std::vector<std::optional<int>> goals;
  /// The joint moves made from here to the next recorded step.
  std::vector<std::vector<std::string>> moves;
  /// By role, sorted: what each perceives of the first of these. Empty: not recorded.
  std::vector<std::vector<std::string>> sees{};
};

struct TracePlayout {
  std::uint64_t seed = 0;
  std::vector<std::string> roles;
  std::vector<TraceStep> steps;
};

/// All playouts of a file, or a sentence that says what is wrong with it.
gdl::Result<std::vector<TracePlayout>> read_trace(const std::filesystem::path& file);

}  // namespace ludens::server
