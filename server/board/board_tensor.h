// SPDX-License-Identifier: MIT
// A board as an array of numbers, for those who learn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdl/environment/spaces.h"
#include "server/board/board.h"

namespace ludens::server {

/// [channel][row][column], each place a fluent that says that a thing lies there.
struct BoardTensor {
  /// A place that no fluent can fill.
  static constexpr std::uint32_t kNothing = 0xffffffff;

  std::vector<std::string> channels;  // the thing, with the title of its layer before it
  std::vector<std::string> rows, columns;
  std::vector<std::uint32_t> fluents;  // [channel][row][column]: number by Spaces, or kNothing
  std::vector<std::uint32_t> others;   // numbers that stand at no place, ascending
};

/// The board of a game's environments; nullopt where no board was found, or nothing on it is told
/// by single fluents. What means that nothing lies on a square has no channel and is none of the
/// others: it is where all channels are 0.
std::optional<BoardTensor> find_board_tensor(const Board& board, const gdl::Spaces& spaces);

}  // namespace ludens::server
