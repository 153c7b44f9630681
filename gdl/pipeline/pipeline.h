// SPDX-License-Identifier: MIT
// The one way from the rules of a game to its network and to a machine that plays it.
//
//     rules + vocabulary                          gdl/rules, gdl/machine
//       | ground          what could ever hold    gdl/ground
//       | build           gates                   gdl/network
//       | first passes                            gdl/network/passes
//       |    '--> early machine
//       | exclusion proof
//       | later passes
//       | structure
//     GameNetwork, shared by the machines of a vocabulary
//       | program, engines, code                  gdl/program, gdl/scalar, gdl/native
//     machine                                     gdl/sliced
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "gdl/network/game_network.h"
#include "gdl/network/network.h"
#include "gdl/sliced/network_machine.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// The result of a stage: `ground`, `build`, the name of a pass, or `(exclusion proof)`, which
/// comes between the first and the later passes.
struct StageReport {
  std::string_view name;
  NetworkSize size;
  std::size_t fluents = 0, moves = 0;
  double milliseconds = 0;
  std::uint64_t ground_rules = 0;  // of `ground`, whose rules are made while the network is built
};

/// The limits of a run and its hooks. Hooks may be empty and are called by the thread of the run.
struct PipelineOptions {
  GroundingLimits grounding;
  std::set<std::string, std::less<>> skipped_passes;  // names
  /// Once the network is built, a stop is not a failure: the network is as the last complete pass
  /// left it, and the structure may contain less.
  bool unfinished = false;
  std::function<void(const StageReport&)> report;
  /// The network before and after each pass: for equivalence checks.
  std::function<void(std::string_view, const Network&, const Network&)> inspect;
  /// Called with the network after the first passes, without structure. It must not be kept beyond
  /// the call.
  std::function<void(const std::shared_ptr<const GameNetwork>&)> early;
};

using NetworkOrFailure = Result<std::shared_ptr<const GameNetwork>, GroundingFailure>;

/// Runs all stages down to the network, which is not shared. Fluents and moves get their ids in the
/// vocabulary.
NetworkOrFailure make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                              const PipelineOptions& options = {});

/// The stages after the network is built, for one that was made from another. Its ids are those of
/// the vocabulary.
NetworkOrFailure improve_network(Network network, const std::shared_ptr<Vocabulary>& vocabulary,
                                 const Limits& limits);

/// The network after all passes of the game that `machine` plays: its own; or that of another
/// machine with the same vocabulary, even one that is being made; or, if there is none, a new one.
/// Keeps nothing beyond what it returns.
NetworkOrFailure network_of(const Machine& machine, const Limits& limits);

/// The same game as sums of products, from the ground rules that the machine has kept. If they were
/// dropped or too many, the rules are grounded again.
Result<Network, GroundingFailure> plain_network(const Machine& machine, const Limits& limits);

/// Runs all stages down to a machine, which shares its network with other machines of the
/// vocabulary. Failures (endless terms, budgets, cycles among ground rules) are returned as a
/// value, and the game is played on the interpreter. `early` may be empty. If the rest will take a
/// while, it is called with a machine that plays the network after the first passes, interpreted.
Result<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    const std::shared_ptr<Vocabulary>& vocabulary, const NetworkMachineOptions& options,
    const EarlyMachine& early = {});

}  // namespace ludens::gdl
