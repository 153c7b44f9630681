// SPDX-License-Identifier: MIT
// A game of one choice each, made at once, in which one side gets what the other loses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gdl/memory/limits.h"

namespace ludens::search {

struct MatrixSolution {
  double value = 0;          // what `rows` guarantees, whatever the other side does
  std::vector<double> rows;  // the chance of each row; they add up to 1
  bool best = false;         // whether no mixture guarantees more, but for rounding
};

/// The mixture of rows whose worst mean is best (von Neumann 1928), by linear programming:
/// Dantzig's simplex method, on a tableau that keeps nonbasic columns only. `payoffs`: [row *
/// columns + column], what the side that chooses rows gets; neither count is 0. `value` is computed
/// from the rows that are returned, so rounding makes it no less than what they guarantee; they are
/// best if a mixture of columns allows no more. If `stop` (may be null) asks for it, or after very
/// many pivots, the rows are those found so far.
MatrixSolution solve_matrix_game(std::span<const double> payoffs, std::size_t columns,
                                 const gdl::StopSignal* stop = nullptr);

}  // namespace ludens::search
