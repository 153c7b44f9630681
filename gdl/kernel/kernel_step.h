// SPDX-License-Identifier: MIT
// From a state to the next. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_gates.h"

namespace ludens::gdl::kernel {
namespace {

/// Evaluates Next and sets the fluents of moving lanes to their next values. `copies`: room for
/// crossed_count registers.
inline void advance(const Step& step, Register moving, Register* copies, Register* s) {
  if (step.native != nullptr) {
    s[step.moving_slot] = moving;
    step.native(s);
    return;
  }
  evaluate(step.next, s);
  for (std::uint32_t i = 0; i < step.crossed_count; ++i) {
    copies[i] = value(s, {step.crossed[i].slot, step.crossed_inverted[i]});
  }
  for (std::uint32_t i = 0; i < step.plain_count; ++i) {
    const Update u = step.plain[i];
    s[u.fluent] = pick(moving, s[u.slot], s[u.fluent]);
  }
  for (std::uint32_t i = 0; i < step.complemented_count; ++i) {
    const Update u = step.complemented[i];
    s[u.fluent] = pick_complement(moving, s[u.slot], s[u.fluent]);
  }
  for (std::uint32_t i = 0; i < step.crossed_count; ++i) {
    Register& fluent = s[step.crossed[i].fluent];
    fluent = pick(moving, copies[i], fluent);
  }
}

}  // namespace
}  // namespace ludens::gdl::kernel
