// SPDX-License-Identifier: MIT
// Recomputes everything, at full speed.
#pragma once

#include <memory>
#include <optional>

#include "gdl/kernel/kernel.h"
#include "gdl/native/generate.h"
#include "gdl/program/program.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Evaluates whole phases in lane 0 of a kernel's registers: by generated code for that kernel's
/// width, or interpreted. Program and kernel outlive it.
std::unique_ptr<Engine> make_pass_engine(const Program& program, const kernel::Kernel& kernel,
                                         std::optional<native::GeneratedCode> code);

}  // namespace ludens::gdl::scalar
