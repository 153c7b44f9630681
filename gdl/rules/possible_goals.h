// SPDX-License-Identifier: MIT
// Which goals the rules could give.
#pragma once

#include "gdl/rules/goal_scale.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// The scale of the goals that the rules could give, as far as their constants show it: plain if
/// all are from 0 to 100, if only tables of more than 101 numbers go beyond, and not by much, or if
/// that would take too long to find out.
GoalScale goal_scale(const Rules& rules);

}  // namespace ludens::gdl
