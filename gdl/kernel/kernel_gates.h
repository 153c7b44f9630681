// SPDX-License-Identifier: MIT
// The interpreted form of a phase: runs of equal gates, without a branch per gate. Under the rules
// of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_registers.h"

namespace ludens::gdl::kernel {
namespace {

template <int kPlain, int kComplemented>
const std::uint32_t* evaluate_narrow(const std::uint32_t* c, std::uint32_t n, Register* s) {
  for (std::uint32_t i = 0; i < n; ++i, c += 1 + kPlain + kComplemented) {
    Register r = ones();
    for (int k = 0; k < kPlain; ++k) r &= s[c[1 + k]];
    Register off = zeros();
    for (int k = 0; k < kComplemented; ++k) off |= s[c[1 + kPlain + k]];
    s[c[0]] = r & ~off;
  }
  return c;
}

const std::uint32_t* evaluate_wide(const std::uint32_t* c, const Run& run, Register* s) {
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const std::uint32_t destination = *c++;
    Register on = ones(), off = zeros(), off2 = zeros();
    for (std::uint32_t k = 0; k < run.plain; ++k) on &= s[*c++];
    std::uint32_t k = 0;
    for (; k + 1 < run.complemented; k += 2, c += 2) {  // two chains: ORs are the wide ones
      off |= s[c[0]];
      off2 |= s[c[1]];
    }
    if (k < run.complemented) off |= s[*c++];
    s[destination] = on & ~(off | off2);
  }
  return c;
}

/// Evaluates runs whose code begins at `c`; returns where it ends.
const std::uint32_t* evaluate_runs(const Run* run, const Run* end, const std::uint32_t* c,
                                   Register* s) {
  for (; run != end; ++run) {
    if (run->plain + run->complemented > 4) {
      c = evaluate_wide(c, *run, s);
      continue;
    }
    switch (run->plain * 8 + run->complemented) {
      case 2 * 8 + 0:
        c = evaluate_narrow<2, 0>(c, run->count, s);
        break;
      case 1 * 8 + 1:
        c = evaluate_narrow<1, 1>(c, run->count, s);
        break;
      case 0 * 8 + 2:
        c = evaluate_narrow<0, 2>(c, run->count, s);
        break;
      case 3 * 8 + 0:
        c = evaluate_narrow<3, 0>(c, run->count, s);
        break;
      case 2 * 8 + 1:
        c = evaluate_narrow<2, 1>(c, run->count, s);
        break;
      case 1 * 8 + 2:
        c = evaluate_narrow<1, 2>(c, run->count, s);
        break;
      case 0 * 8 + 3:
        c = evaluate_narrow<0, 3>(c, run->count, s);
        break;
      case 4 * 8 + 0:
        c = evaluate_narrow<4, 0>(c, run->count, s);
        break;
      case 0 * 8 + 4:
        c = evaluate_narrow<0, 4>(c, run->count, s);
        break;
      default:
        c = evaluate_wide(c, *run, s);
    }
  }
  return c;
}

/// Rounds from all false until all lanes are stable: the least fixpoint.
const std::uint32_t* evaluate_loop(const Phase& phase, const Loop& loop, const std::uint32_t* c,
                                   Register* s) {
  const Feedback* const first = phase.feedbacks + loop.first_feedback;
  const Feedback* const end = phase.feedbacks + loop.end_feedback;
  for (const Feedback* f = first; f != end; ++f) s[f->slot] = zeros();
  for (;;) {
    const std::uint32_t* after =
        evaluate_runs(phase.runs + loop.first_run, phase.runs + loop.end_run, c, s);
    Register changed = zeros();
    for (const Feedback* f = first; f != end; ++f) {
      const Register now = value(s, f->update);
      changed |= now ^ s[f->slot];
      s[f->slot] = now;
    }
    if (!any(changed)) return after;
  }
}

void evaluate(const Phase& phase, void* slots) {
  if (phase.native != nullptr) return phase.native(slots);
  auto* s = static_cast<Register*>(slots);
  const std::uint32_t* c = phase.code;
  std::size_t run = 0;
  for (std::size_t l = 0; l < phase.loop_count; ++l) {
    const Loop& loop = phase.loops[l];
    c = evaluate_runs(phase.runs + run, phase.runs + loop.first_run, c, s);
    c = evaluate_loop(phase, loop, c, s);
    run = loop.end_run;
  }
  evaluate_runs(phase.runs + run, phase.runs + phase.run_count, c, s);
}

}  // namespace
}  // namespace ludens::gdl::kernel
