// From the rules of a game to its improved network.
#pragma once

#include <variant>

#include "gdl/ground/grounder.h"
#include "gdl/network/network.h"
#include "gdl/network/passes/passes.h"

namespace ludens::gdl {

/// Grounds the vocabulary's rules, builds the network and runs the first passes. Fluents and moves
/// get their ids in `vocabulary`.
std::variant<Network, GroundingFailure> make_first_network(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits,
    const PassOptions& passes);
/// The same with all passes.
std::variant<Network, GroundingFailure> make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                                                     const GroundingLimits& limits,
                                                     const PassOptions& passes);

}  // namespace ludens::gdl
