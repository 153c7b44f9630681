// SPDX-License-Identifier: MIT
// Rows of text in aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::server {

/// The number of columns that a text takes on a terminal: its characters, where every UTF-8
/// character counts as one.
std::size_t display_width(std::string_view text);

/// The text, or as much of it as fits into this many columns, with an ellipsis for the rest.
std::string shortened(std::string_view text, std::size_t columns);

/// Two spaces separate columns; lines have no trailing spaces.
class TextTable {
 public:
  static constexpr std::size_t kAnyWidth = static_cast<std::size_t>(-1);
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with as many cells as there are columns.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The line of titles, then a line for each row; columns whose cells are all empty are left out,
  /// and so are the last ones that don't fit into `width`, except for the first two.
  [[nodiscard]] std::vector<std::string> lines(std::size_t width = kAnyWidth) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ludens::server
