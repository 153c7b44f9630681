#include "gdl/machine/machines.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/text/nearest_name.h"

namespace ludens::gdl {

std::span<const MachineKind> machine_kinds() {
  static constexpr std::array<MachineKind, 4> kinds{{
      {"auto", "the fastest that is ready", make_interpreter},
      {"interpreter", "evaluates the rules themselves; always ready", make_interpreter},
      {"scalar", "a network of gates, one state at a time", nullptr},
      {"sliced", "a network of gates, 512 states at a time", nullptr},
  }};
  return kinds;
}

std::variant<std::shared_ptr<const Machine>, std::string> make_machine(
    std::string_view name, std::shared_ptr<Vocabulary> vocabulary) {
  const auto kinds = machine_kinds();
  const auto kind = std::ranges::find(kinds, name, &MachineKind::name);
  if (kind == kinds.end()) {
    std::vector<std::string_view> names;
    for (const MachineKind& k : kinds) names.push_back(k.name);
    const auto near = nearest_name(name, names);
    return "unknown machine '" + std::string(name) + "'" +
           (near ? "; did you mean '" + std::string(*near) + "'?" : "; try 'interpreter'");
  }
  if (kind->make == nullptr) {
    return "machine '" + std::string(name) + "' is not available in this build; try 'interpreter'";
  }
  return kind->make(std::move(vocabulary));
}

}  // namespace ludens::gdl
