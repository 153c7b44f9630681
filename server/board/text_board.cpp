#include "server/board/text_board.h"

#include <algorithm>
#include <set>
#include <vector>

namespace ludens::server {

namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kMaxFacts = 60;  // of one group

using Signs = std::vector<std::vector<std::string>>;  // [row][column]

/// What stands in a square. The empty thing is not drawn beside others.
std::string sign(const std::vector<std::string>& things, const Symbols& symbols,
                 std::set<std::string>& used) {
  std::string text;
  for (const std::string& thing : things) {
    if (thing == symbols.empty_name) continue;
    const auto known = symbols.by_name.find(thing);
    text += known != symbols.by_name.end() ? known->second : thing;
    used.insert(thing);
  }
  if (!text.empty()) return text;
  const bool square = !things.empty() || !symbols.all_squares;
  return square ? "." : " ";
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::vector<std::string> draw_grid(const Grid& grid, const Symbols& symbols,
                                   std::set<std::string>& used) {
  Signs signs;
  std::size_t width = longest(grid.columns);
  for (const auto& row : grid.cells) {
    auto& line = signs.emplace_back();
    for (const auto& things : row) line.push_back(sign(things, symbols, used));
    width = std::max(width, longest(line));
  }
  const std::size_t margin = longest(grid.rows);
  std::vector<std::string> lines;
  if (!grid.title.empty()) lines.push_back(std::string(margin + 2, ' ') + grid.title);
  for (std::size_t row = 0; row < signs.size(); ++row) {
    std::string line = right_aligned(grid.rows[row], margin) + " ";
    for (const std::string& text : signs[row]) line += " " + right_aligned(text, width);
    lines.push_back(std::move(line));
  }
  std::string names(margin + 1, ' ');
  for (const std::string& name : grid.columns) names += " " + right_aligned(name, width);
  lines.push_back(std::move(names));
  return lines;
}

/// Layers beside one another, as many as a line holds.
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

std::string draw(const Picture& picture, const Symbols& symbols) {
  std::string out;
  std::set<std::string> used;
  std::vector<std::vector<std::string>> blocks;
  for (const Grid& grid : picture.grids) blocks.push_back(draw_grid(grid, symbols, used));
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
  return out;
}

}  // namespace ludens::server
