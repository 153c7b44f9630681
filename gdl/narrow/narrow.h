// SPDX-License-Identifier: MIT
// Grounds games whose goals have too many rows for the grounder, although few of them can hold.
#pragma once

#include <memory>

#include "gdl/ground/grounder.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

/// Sets wide rules aside, builds the network of the rest, and proves on it which fluents exclude
/// each other. The wide rules are replaced by those of their ground rules that can hold in a
/// reachable state, without the literals that follow there from the others. Fluents get their ids
/// in the vocabulary. A failure implies nothing about the game: it is `Wide` if there are no wide
/// rules, if too many of their ground rules remain, or if the search takes too long.
Result<GroundProgram, GroundingFailure> ground_narrowly(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits);

}  // namespace ludens::gdl
