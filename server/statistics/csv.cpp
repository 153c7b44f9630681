// SPDX-License-Identifier: MIT
#include "server/statistics/csv.h"

#include <array>
#include <charconv>

namespace ludens::server {

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (const char character : field)
      line += character == '"' ? "\"\"" : std::string(1, character);
    line += '"';
  }
  return line + "\n";
}

std::string csv_number(double value) {
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

}  // namespace ludens::server
