// SPDX-License-Identifier: MIT
// All machines, by name.
#pragma once

#include <memory>
#include <span>
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

/// `auto` first, then from the simplest to the fastest.
std::span<const MachineKind> machine_kinds();
/// Never null; for an unknown name, the error suggests the nearest one.
Result<const MachineKind*> find_machine_kind(std::string_view name);

/// The machine of that name, ready. `auto` is the fastest that can be built within the limits, at
/// worst the interpreter. The memory of a network machine is counted against `limits.memory` as
/// long as the machine lives: like its contexts, it must not outlive the budget. The early machine
/// and the final one both count, and the final one can't be built if they don't fit together. If
/// the last steps of building take long, `early` may be called with a machine that lacks their
/// results; this is not guaranteed. If building fails with a reason, an early machine stays valid.
MachineOrReason make_machine(std::string_view name, const std::shared_ptr<Vocabulary>& vocabulary,
                             const Limits& limits = {}, const EarlyMachine& early = {});

}  // namespace ludens::gdl
