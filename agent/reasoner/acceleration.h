// SPDX-License-Identifier: MIT
// Switches from the machine that is ready at once to the fastest available one while a strategy
// thinks.
#pragma once

#include <memory>

#include "search/strategy/factory.h"

namespace ludens::agent {

/// A strategy that thinks on the machine that its options select. Positions arrive on the
/// interpreter; their history is replayed on the other machine, which uses the same names. `memory`
/// may be null and must outlive the result.
///
/// `machine=auto`: the network is built in a separate thread from the first `think` on, while the
/// strategy thinks on the interpreter. Once it is ready, the search continues on it and keeps what
/// the strategy keeps. If the last passes and code take a while, there are two stages, of which the
/// first uses the network after the cheap passes. If the network can't be built, the interpreter
/// stays.
///
/// A limit by counts requires a match that repeats exactly. A change of machines at an uncertain
/// moment would prevent that, since moves come in another order. With `playouts` the interpreter
/// stays. With `nodes`, `depth` or `games` a search waits for the machine, as it does for
/// `machine=scalar` and `sliced`: for at most three quarters of its time, after which it thinks on
/// the interpreter until the machine is ready. `machine=interpreter`: the strategy unchanged.
///
/// If no thread is available, as in a browser, the first `think` builds before it searches, for at
/// most three quarters of its time.
std::unique_ptr<search::Strategy> accelerate(std::unique_ptr<search::Strategy> strategy,
                                             const search::StrategySpec& spec,
                                             gdl::MemoryBudget* memory);

}  // namespace ludens::agent
