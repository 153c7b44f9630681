// SPDX-License-Identifier: MIT
// The reference machine: evaluates the rules themselves, without grounding. Always ready, always
// right.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

/// Rules compiled into join plans, evaluated goal-directed with tables for each state. Ready in
/// milliseconds; plays games with infinitely many derivable terms, for which bottom-up evaluation
/// does not end. `rules` must not have syntax errors; rules with other errors are played as well as
/// possible. Memory is counted against the context's budget. `limits` apply to compiling; if they
/// are reached, rules are played by plans that were not tried, and more slowly.
std::shared_ptr<const Machine> make_interpreter(std::shared_ptr<Vocabulary> vocabulary,
                                                const Limits& limits = {});

/// The words of an interpreter's state by its fluents, in ascending order, and back.
void pack_fluents(std::span<const FluentId> fluents, std::vector<std::uint64_t>& words);
void unpack_fluents(StateView state, std::vector<FluentId>& out);

}  // namespace ludens::gdl
