// Short signs for the things on a board.
#pragma once

#include <string>
#include <vector>

#include "server/board/board.h"
#include "server/board/layout.h"

namespace ludens::server {

/// What a fact puts on its square: its content (`x`, `white pawn`), or its own name where it has
/// none or does not belong to the board itself (`visited`, `position red`).
std::string thing_name(const Placement& placement, const Fact& fact);

/// Signs for all things that the rules can put on the board. Names of one or two characters are
/// their own sign; a pair of sides with the same pieces (`wp`, `bp`) becomes upper and lower case;
/// others get a letter of their name. The thing that most squares hold initially, if the board is
/// full then, is the empty square.
Symbols choose_symbols(const BoardLayout& layout, const std::vector<FluentShape>& shapes,
                       const std::vector<Fact>& initial, const std::vector<std::string>& roles);

}  // namespace ludens::server
