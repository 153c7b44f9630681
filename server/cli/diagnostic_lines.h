// SPDX-License-Identifier: MIT
// Diagnostics for people: no more of them than anyone would read.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "gdl/text/diagnostic.h"

namespace ludens::server {

inline constexpr std::size_t kMostDiagnostics = 100;

/// Prints at most `limit` lines (0: all), and at most five that say the same; then a line that
/// counts those left out and ends with `remedy`. `out` writes to the file descriptor `terminal`: on
/// a terminal the severity is coloured.
void print_diagnostics(std::ostream& out, int terminal, const gdl::Diagnostics& diagnostics,
                       const std::string& file, std::size_t limit, const std::string& remedy);

}  // namespace ludens::server
