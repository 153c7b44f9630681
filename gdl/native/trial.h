// SPDX-License-Identifier: MIT
// Which form of a program is faster on this processor, by trying both.
#pragma once

#include "gdl/kernel/kernel.h"
#include "gdl/native/generate.h"
#include "gdl/program/program.h"

namespace ludens::gdl::native {

/// Whether generated code for the kernel's width beats its interpreted runs. Takes a few
/// milliseconds, more if one evaluation takes longer than that. If code or data exceed the caches,
/// the difference is small either way. If stopped, the answer is arbitrary.
bool pays(const GeneratedCode& code, const Program& program, const kernel::Kernel& kernel,
          const StopSignal* stop = nullptr);

}  // namespace ludens::gdl::native
