// SPDX-License-Identifier: MIT
// What is wrong with a game, as some of its matches show it.
#pragma once

#include <memory>

#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::server {

/// Plays a few random matches, which begin the same each time: an error about each role that has no
/// legal move in the first state, and a warning about each that runs out of moves later, or that
/// has no goal, several, or one that is no integer, at the end. Each says in which state. What they
/// don't show may still be wrong. Ends when the limits are reached.
gdl::Diagnostics found_in_random_plays(std::shared_ptr<const gdl::Rules> rules,
                                       const gdl::Limits& limits);

}  // namespace ludens::server
