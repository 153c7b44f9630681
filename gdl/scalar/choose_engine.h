// SPDX-License-Identifier: MIT
// Which engine is faster for a game, by trying.
#pragma once

#include <memory>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"
#include "gdl/program/program.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Plays at random with each for about a millisecond. The program is compiled from the network and
/// outlives the engine.
std::unique_ptr<const Engine> choose_engine(const Network& network, const Program& program,
                                            const Limits& limits);

/// One that needs no trial.
std::unique_ptr<const Engine> first_engine(const Network& network, const Program& program,
                                           const Limits& limits);

}  // namespace ludens::gdl::scalar
