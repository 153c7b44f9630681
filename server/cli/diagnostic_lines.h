// SPDX-License-Identifier: MIT
// Diagnostics for people: not more of them than anybody reads.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "gdl/text/diagnostic.h"

namespace ludens::server {

inline constexpr std::size_t kMostDiagnostics = 100;

/// Prints at most `limit` lines (0: all), and of those that say the same at most five; then one
/// that counts what was left out, and ends with `remedy`. `out` is what stands behind the file
/// descriptor `terminal`: on a terminal the severity has its colour.
void print_diagnostics(std::ostream& out, int terminal, const gdl::Diagnostics& diagnostics,
                       const std::string& file, std::size_t limit, const std::string& remedy);

}  // namespace ludens::server
