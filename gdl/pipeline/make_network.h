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
/// The later passes. What they rely on is proved first, unless `passes` says it already, and stays
/// there.
Network improve_network(Network first, const Vocabulary& vocabulary, PassOptions& passes);
/// Both, one after the other.
std::variant<Network, GroundingFailure> make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                                                     const GroundingLimits& limits,
                                                     PassOptions passes);

}  // namespace ludens::gdl
