// Ground rules to a network.
#pragma once

#include <variant>

#include "gdl/ground/grounder.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Fluents and moves get their ids in `vocabulary`. Moves of constants that are no roles, and goals
/// of such, are dropped. Every atom becomes the factored OR of its rules.
std::variant<Network, GroundingFailure> build_network(const GroundProgram& program,
                                                      Vocabulary& vocabulary, const Limits& limits);

}  // namespace ludens::gdl
