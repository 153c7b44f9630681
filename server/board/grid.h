// SPDX-License-Identifier: MIT
// Boards whose squares have two coordinates, and which way up they lie.
#pragma once

#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/grid_axes.h"
#include "server/board/layout.h"

namespace ludens::server {

/// The board with these axes: which of them is across, what the other arguments are (layers, blocks
/// of a board of boards, content), whether its squares are hexagons, and which other fluents lie on
/// it.
BoardLayout lay_out_grid(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                         const std::vector<Fact>& initial, const Orders& orders,
                         const GridAxes& axes);

}  // namespace ludens::server
