// SPDX-License-Identifier: MIT
// A board as an array of numbers, for machine learning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdl/environment/spaces.h"
#include "server/board/board.h"

namespace ludens::server {

/// [channel][row][column]: each place is a fluent that says that a thing is there.
struct BoardTensor {
  /// A place that no fluent can fill.
  static constexpr std::uint32_t kNothing = 0xffffffff;

  std::vector<std::string> channels;  // the thing, preceded by the title of its layer
  std::vector<std::string> rows, columns;
  std::vector<std::uint32_t> fluents;  // [channel][row][column]: number by Spaces, or kNothing
  std::vector<std::uint32_t> others;   // numbers without a place, ascending
};

/// The board of a game's environments; nullopt if no board was found, or if no single fluents
/// describe it. The thing that means an empty square has no channel and is not among the others: a
/// square is empty where all channels are 0.
std::optional<BoardTensor> find_board_tensor(const Board& board, const gdl::Spaces& spaces);

}  // namespace ludens::server
