// SPDX-License-Identifier: MIT
// Squares that have one name each (`a1`, `b2`) in place of two coordinates.
#pragma once

#include <optional>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/layout.h"
#include "server/board/order.h"

namespace ludens::server {

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

}  // namespace ludens::server
