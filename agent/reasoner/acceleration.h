// SPDX-License-Identifier: MIT
// From the machine that is ready at once to the fastest that is to be had, while a strategy thinks.
#pragma once

#include <memory>

#include "search/registry/registry.h"

namespace ludens::agent {

/// A strategy that thinks on the machine its options ask for. Positions come on the interpreter;
/// their history is replayed on the other machine, and names agree. `memory` may be null and
/// outlives the result.
///
/// `machine=auto`: the network is built in a thread of its own from the first `think` on, while the
/// strategy thinks on the interpreter; once it is ready the search goes on there, keeping what the
/// strategy keeps. Networks whose last passes and code take a while come twice, first as they are
/// behind the cheap passes. If it is not to be had, the interpreter stays. A limit on `playouts`
/// asks for a match that can be repeated, which a change at an uncertain moment would spoil: the
/// interpreter stays then too. `machine=scalar`, `sliced`: built before the first search, within
/// its deadline. `machine=interpreter`: the strategy as it is.
std::unique_ptr<search::Strategy> accelerate(std::unique_ptr<search::Strategy> strategy,
                                             const search::StrategySpec& spec,
                                             gdl::MemoryBudget* memory);

}  // namespace ludens::agent
