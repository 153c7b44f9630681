// SPDX-License-Identifier: MIT
#include "server/board/trails.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace ludens::server {

namespace {

bool holds(const std::map<Square, std::vector<std::string>>& squares, const Square& square,
           const std::string& thing) {
  const auto found = squares.find(square);
  return found != squares.end() &&
         std::find(found->second.begin(), found->second.end(), thing) != found->second.end();
}

/// The only thing there that belongs to a player.
std::optional<std::string> piece(const Board& board,
                                 const std::map<Square, std::vector<std::string>>& squares,
                                 const Square& square) {
  const auto found = squares.find(square);
  if (found == squares.end()) return std::nullopt;
  std::optional<std::string> only;
  for (const std::string& thing : found->second) {
    if (board.appearance(thing).role.empty()) continue;
    if (only) return std::nullopt;
    only = thing;
  }
  return only;
}

}  // namespace

void Trails::follow(Picture& picture) {
  Squares now;
  for (std::size_t layer = 0; layer < picture.grids.size(); ++layer) {
    auto& cells = picture.grids[layer].cells;
    for (std::size_t row = 0; row < cells.size(); ++row) {
      for (std::size_t column = 0; column < cells[row].size(); ++column) {
        if (!cells[row][column].empty()) now[{row, column, layer}] = cells[row][column];
      }
    }
  }
  for (const auto& [square, things] : now) {
    for (std::size_t i = 0; i < things.size(); ++i) {
      const Appearance thing = board_.appearance(things[i]);
      if (!thing.role.empty() || !thing.trace) continue;
      if (begun_ && !holds(before_, square, things[i])) {
        auto owner = piece(board_, before_, square);
        if (!owner) owner = piece(board_, now, square);
        if (owner) owned_[square] = things[i] + " of " + *owner;
      }
      const auto owned = owned_.find(square);
      if (owned == owned_.end() || !owned->second.starts_with(things[i] + " of ")) continue;
      picture.grids[square.layer].cells[square.row][square.column][i] = owned->second;
    }
  }
  std::erase_if(owned_, [&](const auto& trace) {
    return !holds(now, trace.first, trace.second.substr(0, trace.second.find(" of ")));
  });
  before_ = std::move(now);
  begun_ = true;
}

}  // namespace ludens::server
