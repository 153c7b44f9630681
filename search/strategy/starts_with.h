// SPDX-License-Identifier: MIT
// Whether a match follows moves that were seen or planned before.
#pragma once

#include <algorithm>
#include <span>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// Whether `beginning` comes first in `moves`, as by std::ranges::starts_with of C++23. Joint moves
/// are stored contiguously, as in `Position::history`.
inline bool starts_with(std::span<const gdl::MoveId> moves,
                        std::span<const gdl::MoveId> beginning) {
  return moves.size() >= beginning.size() &&
         std::ranges::equal(moves.first(beginning.size()), beginning);
}

}  // namespace ludens::search
