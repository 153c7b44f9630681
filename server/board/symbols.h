// SPDX-License-Identifier: MIT
// Short signs for the things on a board.
#pragma once

#include <string>
#include <vector>

#include "server/board/layout.h"
#include "server/board/picture.h"

namespace ludens::server {

/// Signs for all things that the rules can put on the board. Names of one or two characters are
/// their own sign; a pair of sides with the same pieces (`wp`, `bp`) becomes upper and lower case;
/// others get a letter of their name. The thing that most squares hold initially, if the board is
/// full then, is the empty square.
Symbols choose_symbols(const BoardLayout& layout, const std::vector<FluentShape>& shapes,
                       const std::vector<Fact>& initial, const std::vector<std::string>& roles);

}  // namespace ludens::server
