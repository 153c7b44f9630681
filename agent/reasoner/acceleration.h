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
/// behind the cheap passes. If the network can't be built, the interpreter stays.
///
/// A limit by counts asks for a match that repeats exactly, which a change of machines at an
/// uncertain moment would spoil, since moves come in another order. With `playouts` the interpreter
/// stays. With `nodes`, `depth` or `games` a search waits for the machine, as one does for
/// `machine=scalar` and `sliced`: for three quarters of its time at most, after which it thinks on
/// the interpreter until the machine is ready. `machine=interpreter`: the strategy as it is.
///
/// Where no thread can be had, as in a browser, the first `think` builds before it searches, for
/// three quarters of its time at most.
std::unique_ptr<search::Strategy> accelerate(std::unique_ptr<search::Strategy> strategy,
                                             const search::StrategySpec& spec,
                                             gdl::MemoryBudget* memory);

}  // namespace ludens::agent
