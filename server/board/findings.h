// SPDX-License-Identifier: MIT
// What is found out about a board: how its squares lie, what the rules say of them, whose the
// things on them are, and signs for these.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/grid_axes.h"
#include "server/board/layout.h"
#include "server/board/order.h"
#include "server/board/picture.h"

namespace ludens::server {

/// The board with these axes: which of them is across, what the other arguments are (layers, blocks
/// of a board of boards, content), whether its squares are hexagons, and which other fluents lie on
/// it.
BoardLayout lay_out_grid(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                         const std::vector<Fact>& initial, const Orders& orders,
                         const GridAxes& axes);

/// The board whose squares are named by one argument of a fluent, the one with most of such names.
/// Nullopt if there is none.
///
/// Names are read as a prefix with a number. Where all rows are full, prefixes are columns, as on a
/// chess board. Else each prefix is a row, and rows start at the left or lie centred, whichever
/// brings squares closer together that the rules hold together in relations of two squares.
std::optional<BoardLayout> find_named_squares(const gdl::Rules& rules,
                                              const std::vector<FluentShape>& shapes,
                                              const std::vector<Fact>& initial,
                                              const Orders& orders);

/// The fluent that gives most places a value each, `(heap a 5)`: at least three, which are no
/// roles. They lie in a row; in two, there and back, where the rules lead around all of them.
/// Nullopt if there is no such fluent.
std::optional<BoardLayout> find_places(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial);

/// Facts of relations that give squares colours by name, `(color a1 red)`, for half of them or
/// more, become tints; black and white alone are the pattern of a board, and say nothing. Facts
/// with a word for it in the name of their relation that name squares alone, `(hole 3 4)`, become
/// holes.
void find_terrain(const gdl::Rules& rules, const BoardLayout& layout, Geometry& geometry);

/// For each thing that moves of one role alone put on a square (`(next (cell ?x ?y wall))` with
/// `(does builder ...)` in its body, and not there before), that role. Games of one role have no
/// owners.
std::map<std::string, std::string> owners_of_things(const gdl::Rules& rules,
                                                    const BoardLayout& layout);

/// Things that come where another thing is: `(next (cell ?x ?y visited))` with `(true (at ?p ?x
/// ?y))` in its body.
std::set<std::string> traces(const gdl::Rules& rules, const BoardLayout& layout);

/// Signs for all things that the rules can put on the board. Names of one or two characters are
/// their own sign; a pair of sides with the same pieces (`wp`, `bp`) becomes upper and lower case;
/// others get a letter of their name. The thing that most squares hold initially, if the board is
/// full then, is the empty square.
Symbols choose_symbols(const BoardLayout& layout, const std::vector<FluentShape>& shapes,
                       const std::vector<Fact>& initial, const std::vector<std::string>& roles);

}  // namespace ludens::server
