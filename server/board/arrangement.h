// SPDX-License-Identifier: MIT
// Boards that several facts of a state describe together: towers, stacks, separate coordinates.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/orders.h"
#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/layout.h"

namespace ludens::server {

/// A board that no single fluent describes. `squares` replaces the facts that describe it together
/// by facts with an empty name, which no fluent has: column, row, thing.
struct Arrangement {
  std::vector<std::string> columns, rows;  // rows from the bottom
  std::vector<std::string> things;
  bool sized = false;  // things are listed by size, the smallest first
  std::function<std::vector<Fact>(std::vector<Fact>)> squares;
};

/// The shape of the facts that an arrangement makes.
FluentShape shape_of(const Arrangement& arrangement);
/// The layout as if one fluent had all of them.
BoardLayout layout_of(const Arrangement& arrangement);

/// Things on top of each other (`(on a b)`, and a fluent that names exactly those with nothing on
/// top), or one fluent that holds all things of an order in some order.
std::optional<Arrangement> find_piles(const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial, const gdl::Orders& orders);

/// Two fluents with one value each from the same long order, `(x 10)` and `(y 10)`, or one each for
/// the same names, `(posx red 3)` and `(posy red 1)`.
std::optional<Arrangement> find_coordinates(const gdl::Rules& rules,
                                            const std::vector<FluentShape>& shapes,
                                            const std::vector<Fact>& initial,
                                            const gdl::Orders& orders);

}  // namespace ludens::server
