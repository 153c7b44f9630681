// SPDX-License-Identifier: MIT
// A machine whose states also say what each role could change.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// The game of another machine; states have more bits, those of `network()->game()->reach`, and
/// begin with the states of the other machine. In an end all of these bits may be false.
/// `network()` is not the game's own network: no other machine can be built from it.
class ReachMachine : public Machine {
 public:
  /// A state of the other machine as one of this machine. `context` is one of this machine.
  virtual Status widen(Context& context, StateView state, State& out) const = 0;
  /// This machine with another one for the game, such as one with a policy of playouts. The other
  /// one has the same states as the machine that this one was made of.
  [[nodiscard]] virtual std::shared_ptr<const Machine> played_by(
      std::shared_ptr<const Machine> rules) const = 0;
};

/// `groups` and `most_moves`: see `build_reach_network`; groups in the ids of the vocabulary, with
/// fluents that the machine keeps. The memory that it holds in addition to the other machine is
/// counted against `limits.memory`. A sentence if the machine has no network, or if the network
/// can't be built or grows too much.
Result<std::shared_ptr<const ReachMachine>> make_reach_machine(
    const std::shared_ptr<const Machine>& machine, const std::vector<std::vector<FluentId>>& groups,
    std::uint32_t most_moves, const Limits& limits);

}  // namespace ludens::gdl
