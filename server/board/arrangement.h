// SPDX-License-Identifier: MIT
// Boards that a state tells in several facts together: towers, stacks, coordinates apart.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/layout.h"

namespace ludens::server {

/// A board that no fluent describes alone. `squares` replaces the facts that do so together by
/// facts with an empty name, which no fluent has: column, row, thing.
struct Arrangement {
  std::vector<std::string> columns, rows;  // rows from the bottom
  std::vector<std::string> things;
  bool sized = false;  // things are listed by size, the smallest first
  std::function<std::vector<Fact>(std::vector<Fact>)> squares;
};

/// The shape of the facts that an arrangement makes.
FluentShape shape_of(const Arrangement& arrangement);
/// As if a fluent had them all.
BoardLayout layout_of(const Arrangement& arrangement);

/// Things that stand on one another (`(on a b)`, and a fluent that names exactly those on which
/// nothing stands), or one fluent that holds all things of an order in some order.
std::optional<Arrangement> find_piles(const gdl::Rules& rules,
                                      const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial);

/// Two fluents with one value each from the same long order, `(x 10)` and `(y 10)`, or one each for
/// the same names, `(posx red 3)` and `(posy red 1)`.
std::optional<Arrangement> find_coordinates(const gdl::Rules& rules,
                                            const std::vector<FluentShape>& shapes,
                                            const std::vector<Fact>& initial);

}  // namespace ludens::server
