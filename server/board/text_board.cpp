// SPDX-License-Identifier: MIT
#include "server/board/text_board.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gdl/text/printable.h"

namespace ludens::server {

namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kMaxFacts = 60;  // of one group

using Signs = std::vector<std::vector<std::string>>;  // [row][column]

/// The sign of a thing; for a trace (see Trails), the signs of both things.
std::string sign_of(const std::string& thing, const Symbols& symbols) {
  const auto known = symbols.by_name.find(thing);
  if (known != symbols.by_name.end()) return known->second;
  const std::size_t of = thing.find(" of ");
  if (of == std::string::npos) return thing;
  return sign_of(thing.substr(0, of), symbols) + sign_of(thing.substr(of + 4), symbols);
}

/// The text of a square. The empty thing is not drawn beside others.
std::string sign(const std::vector<std::string>& things, const Symbols& symbols,
                 std::set<std::string>& used) {
  std::string text;
  for (const std::string& thing : things) {
    if (thing == symbols.empty_name) continue;
    text += sign_of(thing, symbols);
    used.insert(thing);
  }
  return text.empty() ? "." : text;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// What is drawn between squares, by its place in half squares.
class GridLines {
 public:
  GridLines(const Picture& picture, const Symbols& symbols, std::set<std::string>& used) {
    for (const Line& line : picture.lines) {
      signs_[{(line.y1 + line.y2) / 2, (line.x1 + line.x2) / 2}] = line.x1 == line.x2 ? "|" : "-";
    }
    for (const Mark& mark : picture.marks) {
      signs_[{mark.y, mark.x}] = sign({mark.thing}, symbols, used);
    }
  }
  [[nodiscard]] std::string at(std::size_t x, std::size_t y) const {
    const auto found = signs_.find({static_cast<int>(y), static_cast<int>(x)});
    return found == signs_.end() ? " " : found->second;
  }
  /// Whether anything is drawn between rows.
  [[nodiscard]] bool parts_rows() const {
    return std::any_of(signs_.begin(), signs_.end(),
                       [](auto& s) { return s.first.first % 2 == 0; });
  }

 private:
  std::map<std::pair<int, int>, std::string> signs_;
};

/// A line of signs or column names. Squares are separated by blanks, or by what is drawn at `y`
/// between them, and blocks by one more blank.
std::string spaced(const std::vector<std::string>& signs, std::size_t width, std::size_t block,
                   const GridLines* between = nullptr, std::size_t y = 0) {
  std::string line;
  for (std::size_t column = 0; column < signs.size(); ++column) {
    if (block > 0 && column > 0 && column % block == 0) line += " ";
    line += (between != nullptr ? between->at(2 * column, y) : " ");
    line += signs[column] == "-" ? std::string(width, '-') : right_aligned(signs[column], width);
  }
  const std::string last = between != nullptr ? between->at(2 * signs.size(), y) : " ";
  if (last != " ") line += last;
  return line;
}

/// The line between two rows.
std::string gap(const GridLines& between, std::size_t columns, std::size_t width, std::size_t y) {
  std::vector<std::string> signs;
  for (std::size_t column = 0; column < columns; ++column) {
    signs.push_back(between.at(2 * column + 1, y));
  }
  return spaced(signs, width, 0, &between, y);
}

std::vector<std::string> draw_grid(const Grid& grid, const Geometry& geometry,
                                   const Symbols& symbols, const GridLines& between,
                                   std::set<std::string>& used) {
  Signs signs;
  std::size_t width = std::max(longest(geometry.columns), longest(geometry.top));
  for (std::size_t row = 0; row < grid.cells.size(); ++row) {
    auto& line = signs.emplace_back();
    for (std::size_t column = 0; column < grid.cells[row].size(); ++column) {
      const auto& things = grid.cells[row][column];
      const bool hole = things.empty() && !geometry.holes.empty() && geometry.holes[row][column];
      line.push_back(hole ? " " : sign(things, symbols, used));
    }
    width = std::max(width, longest(line));
  }
  const std::size_t margin = longest(geometry.rows);
  const auto shifted = [&](std::size_t row) {
    const auto halves = geometry.shift.empty() ? 0u : static_cast<unsigned>(geometry.shift[row]);
    return std::string(halves * (width + 1) / 2, ' ');
  };
  std::vector<std::string> lines;
  if (!grid.title.empty()) lines.push_back(std::string(margin + 2, ' ') + grid.title);
  if (!geometry.top.empty()) {
    lines.push_back(std::string(margin + 1, ' ') + spaced(geometry.top, width, geometry.block));
  }
  const auto add_gap = [&](std::size_t row) {
    if (!between.parts_rows()) return;
    std::string line = gap(between, geometry.columns.size(), width, 2 * row);
    const bool outside = row == 0 || row == signs.size();
    if (outside && line.find_first_not_of(' ') == std::string::npos) return;
    lines.push_back(std::string(margin + 1, ' ') + std::move(line));
  };
  for (std::size_t row = 0; row < signs.size(); ++row) {
    if (geometry.block > 0 && row > 0 && row % geometry.block == 0) lines.emplace_back();
    add_gap(row);
    lines.push_back(right_aligned(geometry.rows[row], margin) + " " + shifted(row) +
                    spaced(signs[row], width, geometry.block, &between, 2 * row + 1));
  }
  add_gap(signs.size());
  if (geometry.holes.empty() || geometry.shift.empty()) {
    lines.push_back(std::string(margin + 1, ' ') + shifted(signs.size() - 1) +
                    spaced(geometry.columns, width, geometry.block));
  }
  return lines;
}

/// Layers side by side, as many as fit into a line.
std::string beside(const std::vector<std::vector<std::string>>& blocks) {
  std::string out;
  std::vector<std::string> lines;
  const auto flush = [&] {
    for (std::string& line : lines) {
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    lines.clear();
  };
  for (const auto& block : blocks) {
    const std::size_t start = lines.empty() ? 0 : longest(lines) + 4;
    if (start > 0 && start + longest(block) > kLineWidth) {
      flush();
      out += "\n";
    }
    const std::size_t column = lines.empty() ? 0 : longest(lines) + 4;
    lines.resize(std::max(lines.size(), block.size()));
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (column > 0) lines[i].resize(column, ' ');
      lines[i] += block[i];
    }
  }
  flush();
  return out;
}

void append_words(std::string& out, std::string line, const std::vector<std::string>& words) {
  const std::string indent(4, ' ');
  for (const std::string& word : words) {
    if (line.size() + word.size() + 1 > kLineWidth && line.size() > indent.size()) {
      out += line + "\n";
      line = indent;
    }
    line += (line.empty() || line.ends_with(' ') ? "" : " ") + word;
  }
  out += line + "\n";
}

void append_group(std::string& out, const FactGroup& group) {
  if (group.facts.size() == 1) {
    out += group.name + (group.facts[0].empty() ? "" : " " + group.facts[0]) + "\n";
    return;
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(group.facts.size(), kMaxFacts); ++i) {
    words.push_back(group.facts[i] + (i + 1 < group.facts.size() ? "," : ""));
  }
  if (group.facts.size() > kMaxFacts) {
    words.push_back("and " + std::to_string(group.facts.size() - kMaxFacts) + " more");
  }
  append_words(out, group.name + ":", words);
}

}  // namespace

std::string draw(const Board& board, const Picture& picture) {
  const Symbols& symbols = board.symbols();
  std::string out;
  std::set<std::string> used;
  std::vector<std::vector<std::string>> blocks;
  const GridLines between(picture, symbols, used);
  for (const Grid& grid : picture.grids)
    blocks.push_back(draw_grid(grid, board.geometry(), symbols, between, used));
  out += beside(blocks);

  std::vector<std::string> legend;
  for (const std::string& name : used) {
    const auto known = symbols.by_name.find(name);
    if (known != symbols.by_name.end() && known->second != name) {
      legend.push_back(known->second + " " + name + ",");
    }
  }
  if (!legend.empty()) {
    legend.back().pop_back();
    append_words(out, "", legend);
  }
  std::vector<std::string> controls;
  for (const FactGroup& group : picture.controls) {
    for (const std::string& fact : group.facts) controls.push_back(group.name + " " + fact + "  ");
  }
  if (!controls.empty()) {
    append_words(out, "", controls);
    out.erase(out.find_last_not_of(" \n") + 1);
    out += "\n";
  }
  for (const FactGroup& group : picture.facts) append_group(out, group);
  return gdl::printable_lines(out);
}

}  // namespace ludens::server
