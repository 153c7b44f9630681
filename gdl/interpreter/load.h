// SPDX-License-Identifier: MIT
// Prepares a rulesheet for play.
#pragma once

#include <memory>

#include "gdl/interpreter/loaded_game.h"
#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl::interpreter {

/// Compiles the rules. Static relations whose extension is small are derived on the way and become
/// facts. The sizes of all facts and of the initial state determine the order of the joins. A few
/// states of a random playout decide between alternative ways of evaluation. Takes milliseconds:
/// the work is bounded. If `limits` are reached earlier, the result uses what is known by then.
std::unique_ptr<const LoadedGame> load(const Rules& rules, const Limits& limits);

}  // namespace ludens::gdl::interpreter
