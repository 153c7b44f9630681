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
  Plain,     // the OR of its rules, each an AND of its literals: each rule stays together
};

/// Fluents and moves get their ids in `vocabulary`. Moves and goals of constants that are not roles
/// are dropped. Every atom becomes the OR of its ground rules, which are made at that moment and
/// then discarded. The program gets indices and the count of its ground rules.
Result<Network, GroundingFailure> build_network(GroundProgram& program, Vocabulary& vocabulary,
                                                const GroundingLimits& limits,
                                                BuildForm form = BuildForm::Factored);

}  // namespace ludens::gdl
