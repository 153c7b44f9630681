// SPDX-License-Identifier: MIT
#include "server/statistics/text_table.h"

#include <algorithm>
#include <utility>

namespace ludens::server {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kAlwaysShown = 2;

/// Bytes that continue a UTF-8 character look like 10xxxxxx.
bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && ++characters == columns) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

/// The width of each column; 0 for those that are left out.
std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i]));
    if (widths[i] != 0) widths[i] = std::max(widths[i], display_width(columns_[i].title));
  }
  return widths;
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths) const {
  std::string out;
  bool first = true;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!std::exchange(first, false)) out += std::string(kGap, ' ');
    const std::string space(widths[i] - display_width(cells[i]), ' ');
    out += columns_[i].align == Align::Right ? space + cells[i] : cells[i] + space;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::vector<std::string> TextTable::lines(std::size_t width) const {
  std::vector<std::size_t> widths = this->widths();
  std::size_t used = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::size_t with = used + (used == 0 ? 0 : kGap) + widths[i];
    if (with > width && i >= kAlwaysShown) {
      std::fill(widths.begin() + static_cast<std::ptrdiff_t>(i), widths.end(), 0);
      break;
    }
    used = with;
  }
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles.push_back(widths[i] == 0 ? "" : columns_[i].title);
  }
  std::vector<std::string> out{line(titles, widths)};
  for (const auto& row : rows_) out.push_back(line(row, widths));
  return out;
}

}  // namespace ludens::server
