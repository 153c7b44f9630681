// SPDX-License-Identifier: MIT
// Which facts of a board the rules declare.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/fact.h"
#include "server/board/layout.h"

namespace ludens::server {

/// The facts of a placement that `base` lists. nullopt if the rules have none of it, or if it takes
/// too much to find out. The same for the same rules, however busy the machine is.
std::optional<std::vector<Fact>> declared_facts(const gdl::Rules& rules,
                                                const Placement& placement);

}  // namespace ludens::server
