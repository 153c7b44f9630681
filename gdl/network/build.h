// SPDX-License-Identifier: MIT
// Ground rules to a network.
#pragma once

#include "gdl/ground/grounder.h"
#include "gdl/network/network.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// How an atom becomes gates.
enum class BuildForm : std::uint8_t {
  Factored,  // few gates
  Plain,     // the OR of its rules, each an AND of its literals: what a rule says stays together
};

/// Fluents and moves get their ids in `vocabulary`. Moves of constants that are no roles, and goals
/// of such, are dropped. Every atom becomes the OR of its ground rules, which are made
/// when it is and forgotten at once. The program gets indices and the count of its ground rules.
Result<Network, GroundingFailure> build_network(GroundProgram& program, Vocabulary& vocabulary,
                                                const GroundingLimits& limits,
                                                BuildForm form = BuildForm::Factored);

}  // namespace ludens::gdl
