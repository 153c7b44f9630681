// SPDX-License-Identifier: MIT
// Tables as comma-separated values (RFC 4180, with LF at the ends of lines).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ludens::server {

/// One line with its line end; fields with a comma, a quote or a line break are quoted.
std::string csv_line(const std::vector<std::string>& fields);

/// The shortest text that reads back as this number; `inf` and `-inf` if it is infinite.
std::string csv_number(double value);

}  // namespace ludens::server
