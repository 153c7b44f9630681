// SPDX-License-Identifier: MIT
#include "server/board/layout.h"

#include <algorithm>
#include <set>

namespace ludens::server {

namespace {

/// These arguments, separated by single blanks.
std::string join(const std::vector<std::string>& words, const std::vector<std::size_t>& which) {
  std::string text;
  for (const std::size_t i : which) text += (text.empty() ? "" : " ") + words[i];
  return text;
}

}  // namespace

std::size_t size_of(const BoardLayout& layout) {
  const std::size_t layers = std::max<std::size_t>(layout.layers.size(), 1);
  return layout.geometry.rows.size() * layout.geometry.columns.size() * layers;
}

std::string layer_title(const Placement& placement, const std::vector<std::string>& arguments) {
  return placement.title + join(arguments, placement.layers);
}

std::vector<std::size_t> coordinates_of(const Placement& placement) {
  std::set<std::size_t> all(placement.across.begin(), placement.across.end());
  all.insert(placement.up_or_down.begin(), placement.up_or_down.end());
  all.insert(placement.layers.begin(), placement.layers.end());
  return {all.begin(), all.end()};
}

std::optional<Square> square_of(const BoardLayout& layout, const Placement& placement,
                                const std::vector<std::string>& arguments) {
  if (!layout.named.empty()) {
    const auto named = layout.named.find(arguments[placement.across[0]]);
    if (named == layout.named.end()) return std::nullopt;
    return named->second;
  }
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const auto coordinate = [&](const std::vector<std::size_t>& which) {
    return arguments[which[0]] + (which.size() > 1 ? "." + arguments[which[1]] : "");
  };
  const Geometry& geometry = layout.geometry;
  Square square{place(geometry.rows, coordinate(placement.up_or_down)),
                place(geometry.columns, coordinate(placement.across)), 0};
  if (!layout.layers.empty())
    square.layer = place(layout.layers, layer_title(placement, arguments));
  if (square.row == geometry.rows.size() || square.column == geometry.columns.size()) {
    return std::nullopt;
  }
  return square;
}

std::string thing_name(const Placement& placement, const Fact& fact) {
  std::string text = placement.board && !placement.content.empty() ? "" : fact.name;
  for (const std::size_t k : placement.content) {
    text += (text.empty() ? "" : " ") + fact.arguments[k];
  }
  return text;
}

}  // namespace ludens::server
