// SPDX-License-Identifier: MIT
// A rulesheet made ready to play.
#pragma once

#include <memory>

#include "gdl/interpreter/loaded_game.h"
#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl::interpreter {

/// Compiles the rules. Static relations whose extension is small are derived on the way and become
/// facts; the sizes of all facts and of the initial state give the order of the joins; a few states
/// of a random playout decide what has more than one way to be evaluated. Takes milliseconds: the
/// work is bounded. Where `limits` are met before, what is known by then has to do.
std::unique_ptr<const LoadedGame> load(const Rules& rules, const Limits& limits);

}  // namespace ludens::gdl::interpreter
