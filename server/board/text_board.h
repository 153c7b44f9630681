// SPDX-License-Identifier: MIT
// Pictures of states as plain text, for terminals and logs.
#pragma once

#include <string>

#include "server/board/board.h"

namespace ludens::server {

/// Grids with their coordinates, the symbols that need explaining, then who is in control, counters
/// and other facts, in lines of at most about 100 columns where words allow. Ends with a line end;
/// long lists of facts are cut, with their number.
std::string draw(const Board& board, const Picture& picture);

}  // namespace ludens::server
