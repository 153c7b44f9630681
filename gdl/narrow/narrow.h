// SPDX-License-Identifier: MIT
// Grounding of games whose goals ask for more rows than there is room for, of which few can be.
#pragma once

#include <memory>

#include "gdl/ground/grounder.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

/// Sets wide rules aside, builds the network of the rest, proves on it which fluents exclude each
/// other, and puts those ground rules of the wide rules in their place that can hold in a state
/// that can be reached, without the literals that follow there from the others. Fluents get their
/// ids in the vocabulary. A failure says nothing of the game: `Wide` where there are no wide rules,
/// or too many ground rules are left of them, or the search takes too long.
Result<GroundProgram, GroundingFailure> ground_narrowly(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits);

}  // namespace ludens::gdl
