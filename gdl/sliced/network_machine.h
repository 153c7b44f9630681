// The machines that evaluate a game's network: one state at a time, or as many as a register has
// bits.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "gdl/ground/grounder.h"
#include "gdl/machine/machine.h"
#include "gdl/network/passes/passes.h"
#include "gdl/sliced/batches.h"

namespace ludens::gdl {

struct NetworkMachineOptions {
  GroundingLimits grounding;
  PassOptions passes;
  /// States of a batch: 1 for the scalar machine; 64, 256, 512, or 0 for the widest of this
  /// processor.
  std::size_t lanes = 0;
  EvaluationForm form = EvaluationForm::Fastest;
  /// Told of a machine that plays with what the first passes left, interpreted, where the rest will
  /// take a while. May be empty.
  EarlyMachine early;
};

/// Grounds the rules, builds and improves the network, and lays it out. What can't be had - endless
/// terms, budgets, circles among ground rules - comes back as a value, and the game is played on
/// the interpreter. Names agree with the other machines of the vocabulary. States are bit sets over
/// the fluents that anything depends on; `fluents` leaves out the others. The machine's own memory
/// is counted against the budget of `grounding.limits`, as `make_machine` says.
std::variant<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, NetworkMachineOptions options);
/// The same of a network that is there; it is not needed afterwards. Nothing is told early.
std::variant<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, const Network& network,
    const NetworkMachineOptions& options);

/// What such a machine works with, for whoever builds on it.
struct MachineNetwork {
  std::shared_ptr<const Network> network;  // bit i of a state is its fluent i
  std::size_t lanes = 0;
  EvaluationForm form = EvaluationForm::Fastest;
};
/// Of a machine that `make_network_machine` made; nullopt for others, and for networks of more than
/// 200,000 gates, which are not kept.
std::optional<MachineNetwork> network_of(const Machine& machine);

}  // namespace ludens::gdl
