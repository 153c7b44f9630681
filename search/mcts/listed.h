// SPDX-License-Identifier: MIT
// What a node begins with, so that a `PositionTable` can list it.
#pragma once

#include <cstdint>

#include "gdl/machine/state.h"
#include "search/mcts/arena.h"

namespace ludens::search::mcts {

struct Listed {
  Ref next = kNoRef;       // in its list of the table of positions
  std::uint32_t hash = 0;  // of the state
};

/// The hash by which a table of positions finds a state.
[[nodiscard]] inline std::uint32_t position_hash(gdl::StateView state) {
  const gdl::StateHash hash = gdl::hash(state);
  return static_cast<std::uint32_t>(hash.low ^ (hash.low >> 32));
}

}  // namespace ludens::search::mcts
