// SPDX-License-Identifier: MIT
// `ludens solve` for games of hidden information: an equilibrium by CFR+.
#pragma once

#include "server/cli/commands.h"
#include "server/cli/study.h"

namespace ludens::server {

/// Follows all histories of the position and improves the strategies of all roles until nobody
/// could gain a ten-thousandth of a goal point by another one, or the time is up. Prints a line
/// each time the iterations have doubled, then the strategy; the policy file gets all of it.
int find_equilibrium(const SolveOptions& options, Study& study);

}  // namespace ludens::server
