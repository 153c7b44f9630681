// SPDX-License-Identifier: MIT
// What the rules say of the squares themselves: colours, and where there is none.
#pragma once

#include "gdl/rules/rules.h"
#include "server/board/layout.h"

namespace ludens::server {

/// Facts of relations that give squares colours by name, `(color a1 red)`, for half of them or
/// more, become tints; black and white alone are the pattern of a board, and say nothing. Facts
/// with a word for it in the name of their relation that name squares alone, `(hole 3 4)`, become
/// holes.
void find_terrain(const gdl::Rules& rules, const BoardLayout& layout, Geometry& geometry);

}  // namespace ludens::server
