// SPDX-License-Identifier: MIT
// A state for people at a terminal.
#pragma once

#include <string>

#include "server/board/board.h"
#include "server/game/notation.h"

namespace ludens::server {

/// Boards and facts: their arguments in a row, terms in the language of the rules.
std::string state_text(const Board& board, Picture picture, Notation notation);

}  // namespace ludens::server
