// SPDX-License-Identifier: MIT
// Recomputes only what changes.
#pragma once

#include <memory>

#include "gdl/network/network.h"
#include "gdl/program/program.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Every gate counts its inputs that are not satisfied; when an input changes, its readers count,
/// and those whose count becomes 0 or ceases to be pass the change on. Gates are numbered so that
/// each settles at most once a wave. `program` is compiled from `network`; both may go afterwards.
/// nullptr if the network has feedbacks or a gate too wide for a counter, or if stopped.
std::unique_ptr<Engine> make_event_engine(const Network& network, const Program& program,
                                          const StopSignal* stop = nullptr);

}  // namespace ludens::gdl::scalar
