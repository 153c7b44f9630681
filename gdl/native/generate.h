// SPDX-License-Identifier: MIT
// Machine code for the phases of a program.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "gdl/memory/limits.h"
#include "gdl/native/executable.h"
#include "gdl/program/program.h"

namespace ludens::gdl::native {

/// Functions that do what interpreted runs do, over the same slots, as far as can be seen when a
/// phase is over: inputs and outputs stand where the program says; slots of inner gates hold
/// whatever the code needed them for. All phases of a state must be evaluated in the same form.
class GeneratedCode {
 public:
  using Function = void(void* slots);

  [[nodiscard]] Function* phase(Phase p) const {
    return code_.at<Function>(entry_[static_cast<std::size_t>(p)]);
  }
  /// Next, and then the fluents' new values in the lanes that `moving_slot` has. Slots that Next
  /// would leave its results in hold anything.
  [[nodiscard]] Function* advance() const { return code_.at<Function>(entry_[kPhases]); }
  [[nodiscard]] std::uint32_t moving_slot() const { return moving_slot_; }
  /// Slots that the functions use; may be more than the program's.
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t bytes() const { return code_.size(); }

 private:
  friend std::optional<GeneratedCode> generate(const Program&, std::size_t, const Limits&);
  using Entries = std::array<std::size_t, kPhases + 1>;
  GeneratedCode(Executable code, const Entries& entry, std::uint32_t moving_slot, std::size_t slots)
      : code_(std::move(code)), entry_(entry), moving_slot_(moving_slot), slots_(slots) {}
  Executable code_;
  Entries entry_;  // of the phases, then of `advance`
  std::uint32_t moving_slot_;
  std::size_t slots_;
};

/// For registers of `lanes` bits: 256 (AVX2) or 512 (AVX-512); the caller has seen to it that the
/// processor has them. nullopt if stopped, without executable memory, or if the program is too
/// large or has loops: the interpreted runs are there for all.
std::optional<GeneratedCode> generate(const Program& program, std::size_t lanes,
                                      const Limits& limits);

}  // namespace ludens::gdl::native
