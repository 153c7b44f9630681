// The machines there are, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

struct MachineKind {
  std::string_view name;
  std::string_view description;
  /// Null where this build does not have the machine.
  std::shared_ptr<const Machine> (*make)(std::shared_ptr<Vocabulary> vocabulary);
};

/// `auto` first, then from the plainest to the fastest.
std::span<const MachineKind> machine_kinds();

/// The machine of that name, ready, or a sentence that says why there is none.
std::variant<std::shared_ptr<const Machine>, std::string> make_machine(
    std::string_view name, std::shared_ptr<Vocabulary> vocabulary);

}  // namespace ludens::gdl
