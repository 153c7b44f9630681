// SPDX-License-Identifier: MIT
// Which facts of a board could ever hold.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/fact.h"
#include "server/board/layout.h"

namespace ludens::server {

/// The facts of a placement that could hold in some state, or more of them. nullopt if that takes
/// too much to find out. The same for the same rules, however busy the machine is.
std::optional<std::vector<Fact>> reachable_facts(const gdl::Rules& rules,
                                                 const Placement& placement);

}  // namespace ludens::server
