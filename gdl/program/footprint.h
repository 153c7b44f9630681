// SPDX-License-Identifier: MIT
// How many bytes the parts of a network machine hold.
#pragma once

#include <cstddef>

#include "gdl/machine/structure.h"
#include "gdl/network/game_network.h"
#include "gdl/network/network.h"
#include "gdl/program/program.h"

namespace ludens::gdl {

/// The size by capacity where it is known, otherwise an estimate; correct within a fifth.
[[nodiscard]] std::size_t bytes_of(const Program& program);
[[nodiscard]] std::size_t bytes_of(const Network& network);
[[nodiscard]] std::size_t bytes_of(const Structure& structure);
/// The size of all its parts.
[[nodiscard]] std::size_t bytes_of(const GameNetwork& game);

}  // namespace ludens::gdl
