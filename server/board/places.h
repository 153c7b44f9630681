// SPDX-License-Identifier: MIT
// Places in a line or a ring, each with something in it: pits, heaps, registers.
#pragma once

#include <optional>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/layout.h"

namespace ludens::server {

/// The fluent that gives most places a value each, `(heap a 5)`: at least three, which are no
/// roles. They lie in a row; in two, there and back, where the rules lead around all of them.
/// Nullopt if there is no such fluent.
std::optional<BoardLayout> find_places(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial);

}  // namespace ludens::server
