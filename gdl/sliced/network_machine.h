// SPDX-License-Identifier: MIT
// The machines that evaluate a game's network: one state at a time, or as many as a register has
// bits.
#pragma once

#include <cstddef>
#include <memory>

#include "gdl/machine/machine.h"
#include "gdl/network/game_network.h"
#include "gdl/sliced/batches.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

struct NetworkMachineOptions {
  Limits limits;
  /// States of a batch: 1 for the scalar machine; 64, 128, 256, 512, or 0 for the widest that this
  /// processor has.
  std::size_t lanes = 0;
  EvaluationForm form = EvaluationForm::Fastest;
};

/// Lays a network out and shares it as `Machine::network` says. It uses the same names as the other
/// machines of the vocabulary. States are bit sets over the fluents that anything depends on;
/// `fluents` omits the others. The machine's own memory is counted against the budget of the
/// limits, as `make_machine` says.
Result<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, const std::shared_ptr<const GameNetwork>& game,
    const NetworkMachineOptions& options);

}  // namespace ludens::gdl
