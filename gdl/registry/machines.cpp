// SPDX-License-Identifier: MIT
#include "gdl/registry/machines.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/text/nearest_name.h"

namespace ludens::gdl {

namespace {

MachineOrReason interpreter(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                            const EarlyMachine& /*early*/) {
  return make_interpreter(vocabulary, limits);
}

std::string explain(const Rules& rules, const GroundingFailure& failure) {
  if (failure.source >= rules.rules.size()) return failure.text;
  const Location where = rules.source->location(rules.rules[failure.source].where);
  return failure.text + ", at the rule in line " + std::to_string(where.line);
}

MachineOrReason network(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                        const EarlyMachine& early, std::size_t lanes,
                        EvaluationForm form = EvaluationForm::Fastest) {
  try {
    auto made = make_network_machine(vocabulary, {limits, lanes, form}, early);
    if (!made) return Error{explain(vocabulary->rules(), made.error())};
    return *std::move(made);
  } catch (const std::bad_alloc&) {  // thrown where fluents and moves get ids, among others
    return Error{"memory is used up"};
  }
}

MachineOrReason scalar(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                       const EarlyMachine& early) {
  return network(vocabulary, limits, early, 1);
}

MachineOrReason sliced(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                       const EarlyMachine& early) {
  return network(vocabulary, limits, early, 0);
}

/// Variants of the sliced machine, for measurements and comparisons.
template <std::size_t kLanes, EvaluationForm kForm>
MachineOrReason sliced_as(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                          const EarlyMachine& early) {
  return network(vocabulary, limits, early, kLanes, kForm);
}

MachineOrReason fastest(const std::shared_ptr<Vocabulary>& vocabulary, const Limits& limits,
                        const EarlyMachine& early) {
  MachineOrReason made = sliced(vocabulary, limits, early);
  if (made) return made;
  // Without the stop signal, which may be what ended the other one.
  return make_interpreter(vocabulary, {nullptr, limits.memory});
}

}  // namespace

std::span<const MachineKind> machine_kinds() {
  static constexpr std::array<MachineKind, 11> kKinds{{
      {"auto", "the fastest that can be built", fastest},
      {"interpreter", "evaluates the rules themselves; always ready", interpreter},
      {"scalar", "a network of gates, one state at a time", scalar},
      {"sliced", "a network of gates, as many states at once as a register has bits", sliced},
      {"sliced:interpreted", "sliced, without generated code",
       sliced_as<0, EvaluationForm::Interpreted>},
      {"sliced:generated", "sliced, with generated code", sliced_as<0, EvaluationForm::Generated>},
      {"sliced:sets", "sliced, with generated code, and sets for all moves in playouts",
       sliced_as<0, EvaluationForm::BySets>},
      {"sliced:64", "sliced, 64 states at once", sliced_as<64, EvaluationForm::Interpreted>},
      {"sliced:128", "sliced, 128 states at once", sliced_as<128, EvaluationForm::Interpreted>},
      {"sliced:256", "sliced, 256 states at once, with generated code",
       sliced_as<256, EvaluationForm::Generated>},
      {"sliced:256:interpreted", "sliced, 256 states at once, without generated code",
       sliced_as<256, EvaluationForm::Interpreted>},
  }};
  return kKinds;
}

Result<const MachineKind*> find_machine_kind(std::string_view name) {
  const auto kinds = machine_kinds();
  const auto kind = std::ranges::find(kinds, name, &MachineKind::name);
  if (kind != kinds.end()) return std::to_address(kind);
  std::vector<std::string_view> names;
  for (const MachineKind& k : kinds) names.push_back(k.name);
  const std::string near = did_you_mean(name, names);
  return Error{"unknown machine '" + std::string(name) + "'" +
               (near.empty() ? "; try 'interpreter'" : near)};
}

MachineOrReason make_machine(std::string_view name, const std::shared_ptr<Vocabulary>& vocabulary,
                             const Limits& limits, const EarlyMachine& early) {
  const auto kind = find_machine_kind(name);
  if (!kind) return kind.error();
  try {
    return (*kind)->make(vocabulary, limits, early);
  } catch (const std::bad_alloc&) {
    return Error{"the " + std::string(name) + " machine needs more memory than there is"};
  }
}

}  // namespace ludens::gdl
