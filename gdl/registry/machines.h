// SPDX-License-Identifier: MIT
// The machines there are, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

struct MachineKind {
  std::string_view name;
  std::string_view description;
  /// Building may take as long as the limits allow. `early` may be empty.
  MachineOrReason (*make)(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                          const EarlyMachine& early);
};

/// `auto` first, then from the plainest to the fastest.
std::span<const MachineKind> machine_kinds();
/// Never null; for an unknown name a sentence with the nearest one.
Result<const MachineKind*> find_machine_kind(std::string_view name);

/// The machine of that name, ready. `auto` is the fastest that can be had within the limits, at
/// worst the interpreter. What a network machine holds is counted against `limits.memory` for as
/// long as the machine lives: like its contexts, it must not outlive the budget. The early machine
/// and the last one count both, and the last is not to be had where they don't fit together. Where
/// the last steps of building take long, `early` gets a machine that lacks what they bring; whether
/// it does is uncertain. If building ends with a reason, an early machine stays good.
MachineOrReason make_machine(std::string_view name, const std::shared_ptr<Vocabulary>& vocabulary,
                             const Limits& limits = {}, const EarlyMachine& early = {});

}  // namespace ludens::gdl
