// SPDX-License-Identifier: MIT
// Choices for those who read goals as the rules state them.
#pragma once

#include "gdl/rules/goal_scale.h"
#include "search/strategy/incumbent.h"

namespace ludens::search {

/// Searches value goals from 0 to 100. These have the same values in the goals of the rules:
/// nothing changes unless the rules have others than 0 to 100.
RootMove stated(RootMove move, const gdl::GoalScale& goals);
Choice stated(Choice choice, const gdl::GoalScale& goals);

}  // namespace ludens::search
