// SPDX-License-Identifier: MIT
// Engines for one state at a time: one recomputes everything, the other only what changes. A trial
// decides which is faster for a game.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "gdl/kernel/kernel.h"
#include "gdl/memory/limits.h"
#include "gdl/native/generate.h"
#include "gdl/network/network.h"
#include "gdl/program/program.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Evaluates whole phases in lane 0 of a kernel's registers: by generated code for that kernel's
/// width, or interpreted. Program and kernel must outlive it.
std::unique_ptr<Engine> make_pass_engine(const Program& program, const kernel::Kernel& kernel,
                                         std::optional<native::GeneratedCode> code);

/// Every gate counts its inputs that are not satisfied; when an input changes, its readers update
/// their counts, and those whose count becomes 0 or ceases to be 0 pass the change on. Gates are
/// numbered so that each settles at most once per wave. `program` is compiled from `network`; both
/// may be destroyed afterwards. nullptr if the network has feedbacks or a gate too wide for a
/// counter, or if stopped.
std::unique_ptr<Engine> make_event_engine(const Network& network, const Program& program,
                                          const StopSignal* stop = nullptr);

using Clock = std::chrono::steady_clock;

/// How fast random playouts from the initial state are, measured for about a millisecond. What the
/// first steps take is not counted: the system maps the pages of new code in them. 0 if stopped.
double steps_per_second(const Engine& engine, const Program& program, const StopSignal* stop,
                        const std::function<Clock::time_point()>& now = Clock::now);

/// Plays at random with each for about a millisecond. The program is compiled from the network and
/// must outlive the engine.
std::unique_ptr<const Engine> choose_engine(const Network& network, const Program& program,
                                            const Limits& limits);

/// Makes an engine without a trial.
std::unique_ptr<const Engine> first_engine(const Network& network, const Program& program,
                                           const Limits& limits);

}  // namespace ludens::gdl::scalar
