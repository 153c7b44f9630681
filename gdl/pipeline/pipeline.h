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

/// What a stage left behind: `ground`, `build`, the name of a pass, or `(exclusion proof)`, which
/// stands between the first and the later passes.
struct StageReport {
  std::string_view name;
  NetworkSize size;
  std::size_t fluents = 0, moves = 0;
  double milliseconds = 0;
  std::uint64_t ground_rules = 0;  // of `ground`, whose rules are made while the network is built
};

/// Limits of a run and its hooks, which may be empty and are called by the thread of the run.
struct PipelineOptions {
  GroundingLimits grounding;
  std::set<std::string, std::less<>> skipped_passes;  // names
  /// Once the network is built, a stop is no failure: the network is as the last whole pass left
  /// it, and the structure may say less.
  bool unfinished = false;
  std::function<void(const StageReport&)> report;
  /// The network before and after each pass: for equivalence checks.
  std::function<void(std::string_view, const Network&, const Network&)> inspect;
  /// The network behind the first passes, without structure. It is not to be kept beyond the call.
  std::function<void(const std::shared_ptr<const GameNetwork>&)> early;
};

using NetworkOrFailure = Result<std::shared_ptr<const GameNetwork>, GroundingFailure>;

/// All stages down to the network, for the caller alone. Fluents and moves get their ids in the
/// vocabulary.
NetworkOrFailure make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                              const PipelineOptions& options = {});

/// The network behind all passes of the game that `machine` plays: its own; or that of another
/// machine with the same vocabulary, also one that is being made; or, where there is none, a new
/// one. Keeps nothing beyond what it returns.
NetworkOrFailure network_of(const Machine& machine, const Limits& limits);

/// The same game as sums of products, from the ground rules that the machine has kept; where they
/// were dropped or too many, the rules are ground again.
Result<Network, GroundingFailure> plain_network(const Machine& machine, const Limits& limits);

/// All stages down to a machine, which shares its network with other machines of the vocabulary.
/// What can't be had - endless terms, budgets, cycles among ground rules - comes back as a value,
/// and the game is played on the interpreter. `early` may be empty; it is told of a machine that
/// plays with what the first passes left, interpreted, where the rest will take a while.
Result<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    const std::shared_ptr<Vocabulary>& vocabulary, const NetworkMachineOptions& options,
    const EarlyMachine& early = {});

}  // namespace ludens::gdl
