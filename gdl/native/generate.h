// SPDX-License-Identifier: MIT
// Generated code for the phases of a program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/native/executable.h"
#include "gdl/program/program.h"

namespace ludens::gdl::native {

/// The targets of code generation, with registers of 256, 512 and 128 lanes.
enum class Target : std::uint8_t { Avx2, Avx512, WebAssembly };

/// The target that this program runs on with registers of this many lanes, if the processor has
/// them.
std::optional<Target> target_for(std::size_t lanes);

/// Functions for any target, as bytes.
struct EncodedProgram {
  using Entries = std::array<std::size_t, kPhases + 1>;

  std::vector<std::uint8_t> bytes;  // as `Executable::make` takes them
  Entries entry;                    // of the phases, then of `advance`
  std::uint32_t moving_slot;
  std::size_t slots;
};

/// nullopt if stopped, or if the program is too large or has loops.
std::optional<EncodedProgram> encode(const Program& program, Target target, const Limits& limits);

/// Functions that do what interpreted runs do, over the same slots, as far as can be observed when
/// a phase is over. Inputs and outputs are where the program says; slots of inner gates hold
/// whatever the code needed them for. All phases of a state must be evaluated in the same form.
class GeneratedCode {
 public:
  using Function = void(void* slots);

  [[nodiscard]] Function* phase(Phase p) const {
    return code_.at<Function>(entry_[static_cast<std::size_t>(p)]);
  }
  /// Evaluates Next and then sets the fluents' new values in the lanes that `moving_slot` has. The
  /// slots in which Next would leave its results are undefined.
  [[nodiscard]] Function* advance() const { return code_.at<Function>(entry_[kPhases]); }
  [[nodiscard]] std::uint32_t moving_slot() const { return moving_slot_; }
  /// The number of slots that the functions use; may be more than the program's.
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t bytes() const { return code_.size(); }

 private:
  friend std::optional<GeneratedCode> generate(const Program&, std::size_t, const Limits&);
  GeneratedCode(Executable code, const EncodedProgram& from)
      : code_(std::move(code)),
        entry_(from.entry),
        moving_slot_(from.moving_slot),
        slots_(from.slots) {}
  Executable code_;
  EncodedProgram::Entries entry_;
  std::uint32_t moving_slot_;
  std::size_t slots_;
};

/// Generates code for registers of `lanes` bits, which the processor must have. nullopt if there is
/// no target for them, if stopped, without executable memory, or if the program is too large or has
/// loops. The interpreted runs work in all cases.
std::optional<GeneratedCode> generate(const Program& program, std::size_t lanes,
                                      const Limits& limits);

}  // namespace ludens::gdl::native
