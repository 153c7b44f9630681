// SPDX-License-Identifier: MIT
#include "server/board/board_tensor.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ludens::server {

namespace {

/// A layer, row, column and thing.
using Place = std::tuple<std::size_t, std::size_t, std::size_t, std::string>;

std::vector<Place> places_of(const Picture& picture) {
  std::vector<Place> places;
  for (std::size_t g = 0; g < picture.grids.size(); ++g) {
    const auto& cells = picture.grids[g].cells;
    for (std::size_t r = 0; r < cells.size(); ++r) {
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        for (const std::string& thing : cells[r][c]) places.emplace_back(g, r, c, thing);
      }
    }
  }
  std::ranges::sort(places);
  return places;
}

/// The place where this one fluent puts a thing; nullopt unless it puts one thing on one square.
std::optional<Place> place_of(const Board& board, const std::string& fluent,
                              const std::vector<Place>& always) {
  const std::vector<Place> all = places_of(board.picture("( " + fluent + " )"));
  std::vector<Place> own;
  std::ranges::set_difference(all, always, std::back_inserter(own));
  if (own.size() != 1) return std::nullopt;
  return own.front();
}

}  // namespace

std::optional<BoardTensor> find_board_tensor(const Board& board, const gdl::Spaces& spaces) {
  if (!board.found()) return std::nullopt;
  const Picture empty = board.picture("( )");
  const std::vector<Place> always = places_of(empty);
  BoardTensor tensor;
  tensor.rows = board.geometry().rows;
  tensor.columns = board.geometry().columns;
  std::map<std::pair<std::size_t, std::string>, std::map<std::size_t, std::uint32_t>> channels;
  const std::size_t width = tensor.columns.size();
  for (std::uint32_t n = 0; n < spaces.fluents.size(); ++n) {
    const auto place = place_of(board, spaces.fluent_names[n], always);
    if (!place) {
      tensor.others.push_back(n);
      continue;
    }
    const auto& [layer, row, column, thing] = *place;
    if (thing == board.symbols().empty_name) continue;
    const bool taken = !channels[{layer, thing}].emplace(row * width + column, n).second;
    if (taken) tensor.others.push_back(n);
  }
  if (channels.empty()) return std::nullopt;
  for (const auto& [key, squares] : channels) {
    const std::string& title = empty.grids[key.first].title;
    tensor.channels.push_back(title.empty() ? key.second : title + ": " + key.second);
    const std::size_t first = tensor.fluents.size();
    tensor.fluents.resize(first + tensor.rows.size() * width, BoardTensor::kNothing);
    for (const auto& [square, fluent] : squares) tensor.fluents[first + square] = fluent;
  }
  return tensor;
}

}  // namespace ludens::server
