// SPDX-License-Identifier: MIT
// Tints and holes of squares, from facts of the rules.
#include "server/board/findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/board/appearance.h"
#include "server/board/lines.h"

namespace ludens::server {

namespace {

constexpr std::array<std::string_view, 4> kHoles{"hole", "wall", "block", "obstacle"};

/// The square that the first arguments of a relation name, and the number of these arguments.
std::optional<Square> square_in(const BoardLayout& layout, const std::vector<std::string>& words) {
  const Placement& board = layout.placements.front();
  std::vector<std::string> arguments(board.arity);
  const auto which = coordinates_of(board);
  if (words.size() < which.size()) return std::nullopt;
  for (std::size_t i = 0; i < which.size(); ++i) arguments[which[i]] = words[i];
  return square_of(layout, board, arguments);
}

struct Terrain {
  std::vector<std::pair<Square, std::string>> colours;
  std::vector<Square> squares;  // of facts that name only a square
  bool whole = true;            // all facts are of one of these kinds
};

/// `wall_east` describes a side.
bool says_hole(const std::string& name) {
  return !names_side(name) && std::any_of(kHoles.begin(), kHoles.end(), [&](auto word) {
    return name.find(word) != std::string::npos;
  });
}

}  // namespace

void find_terrain(const gdl::Rules& rules, const BoardLayout& layout, Geometry& geometry) {
  const std::size_t width = coordinates_of(layout.placements.front()).size();
  if (!layout.layers.empty()) return;
  std::map<gdl::RelationId, Terrain> relations;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head < gdl::kKeywordCount) continue;
    Terrain& terrain = relations[rule.head];
    std::vector<std::string> words;
    for (const gdl::Term term : rule.arguments) words.push_back(gdl::fold_case(rules.print(term)));
    const auto square = rule.body.empty() ? square_in(layout, words) : std::nullopt;
    const auto colour =
        square && words.size() == width + 1 ? colour_of_word(words.back()) : std::nullopt;
    if (colour) terrain.colours.emplace_back(*square, *colour);
    if (square && words.size() == width) terrain.squares.push_back(*square);
    terrain.whole &= colour.has_value() || (square && words.size() == width);
  }
  const std::size_t size = geometry.rows.size() * geometry.columns.size();
  for (const auto& [id, terrain] : relations) {
    if (!terrain.whole) continue;
    const bool colourful = std::any_of(terrain.colours.begin(), terrain.colours.end(), [](auto& g) {
      return g.second != "black" && g.second != "white";
    });
    if (colourful && 2 * terrain.colours.size() >= size) {
      geometry.tints.assign(geometry.rows.size(),
                            std::vector<std::string>(geometry.columns.size()));
      for (const auto& [at, colour] : terrain.colours) geometry.tints[at.row][at.column] = colour;
    }
    const bool holes = says_hole(gdl::fold_case(rules.symbols.folded(rules.relations[id].name)));
    if (holes && geometry.holes.empty() && !terrain.squares.empty()) {
      geometry.holes.assign(geometry.rows.size(), std::vector<bool>(geometry.columns.size()));
      for (const Square& at : terrain.squares) geometry.holes[at.row][at.column] = true;
    }
  }
}

}  // namespace ludens::server
