// SPDX-License-Identifier: MIT
// Which form of a program is faster on this processor, by trying both.
#pragma once

#include <chrono>
#include <functional>

#include "gdl/kernel/kernel.h"
#include "gdl/native/generate.h"
#include "gdl/program/program.h"

namespace ludens::gdl::native {

using Clock = std::chrono::steady_clock;

/// The seconds of the fastest of several runs, because every disturbance adds to them. The first
/// run is not one of them and does not use up the time for the others (2 ms): in it, the system
/// maps the pages of new code, which can take a hundred times as long as the run itself. If
/// stopped, the answer is arbitrary.
double least_seconds(const std::function<void()>& run, const StopSignal* stop,
                     const std::function<Clock::time_point()>& now = Clock::now);

/// Whether generated code for the kernel's width beats its interpreted runs. Takes a few
/// milliseconds, more if one evaluation takes longer than that. If code or data exceed the caches,
/// the difference is small either way. If stopped, the answer is arbitrary.
bool pays(const GeneratedCode& code, const Program& program, const kernel::Kernel& kernel,
          const StopSignal* stop = nullptr);

}  // namespace ludens::gdl::native
