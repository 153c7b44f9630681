// SPDX-License-Identifier: MIT
// What is found out about a board: the layout of its squares, what the rules say about them, the
// owners of the things on them, and symbols for these.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/rules/orders.h"
#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/grid_axes.h"
#include "server/board/layout.h"
#include "server/board/picture.h"

namespace ludens::server {

/// The board with these axes: which of them is horizontal, what the other arguments are (layers,
/// blocks of a board of boards, content), whether its squares are hexagons, and which other fluents
/// are drawn on it.
BoardLayout lay_out_grid(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                         const std::vector<Fact>& initial, const gdl::Orders& orders,
                         const GridAxes& axes);

/// The board whose squares are named by one argument of a fluent, the one with the most such names.
/// nullopt if there is none.
///
/// Names are read as a prefix with a number. If all rows are full, prefixes are columns, as on a
/// chess board. Otherwise each prefix is a row, and rows are left-aligned or centred, whichever
/// brings squares closer together that the rules relate to each other.
std::optional<BoardLayout> find_named_squares(const gdl::Rules& rules,
                                              const std::vector<FluentShape>& shapes,
                                              const std::vector<Fact>& initial,
                                              const gdl::Orders& orders);

/// The fluent that gives values to the most places, `(heap a 5)`: at least three, which are not
/// roles. They form one row, or two rows, there and back, if the rules lead around all of them.
/// nullopt if there is no such fluent.
std::optional<BoardLayout> find_places(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial, const gdl::Orders& orders);

/// Facts of relations that give squares colours by name, `(color a1 red)`, for half of them or
/// more, become tints; black and white alone are just the pattern of a board. Facts that only name
/// squares and have a word for it in the name of their relation, `(hole 3 4)`, become holes.
void find_terrain(const gdl::Rules& rules, const BoardLayout& layout, Geometry& geometry);

/// The role of each thing that only moves of one role put on a square (`(next (cell ?x ?y wall))`
/// with `(does builder ...)` in its body, and not there before). Games of one role have no owners.
std::map<std::string, std::string> owners_of_things(const gdl::Rules& rules,
                                                    const BoardLayout& layout);

/// Things that appear where another thing is: `(next (cell ?x ?y visited))` with `(true (at ?p ?x
/// ?y))` in its body.
std::set<std::string> traces(const gdl::Rules& rules, const BoardLayout& layout);

/// Symbols for all things that the rules can put on the board. Names of one or two characters are
/// their own symbol; a pair of sides with the same pieces (`wp`, `bp`) becomes upper and lower
/// case; others get a letter of their name. If the board is initially full, the thing on most
/// squares is the empty square.
Symbols choose_symbols(const BoardLayout& layout, const std::vector<FluentShape>& shapes,
                       const std::vector<Fact>& initial, const std::vector<std::string>& roles);

}  // namespace ludens::server
