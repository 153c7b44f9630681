// SPDX-License-Identifier: MIT
// Passes that make a network smaller or faster without changing what it says.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/structure.h"
#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// What a pass may cost. When its work is spent it returns with what it has; when the signal says
/// so, with anything, as nobody uses that.
struct PassBudget {
  const StopSignal* stop = nullptr;
  std::uint64_t work = 100'000'000;                       // elementary steps
  std::span<const Structure::Exclusion> exclusions = {};  // proved of the game
};

/// A game is playable behind the first passes, while the others are run.
enum class PassStage : std::uint8_t {
  First,  // cost less than the building of the network
  Later,  // may cost more
};

struct Pass {
  std::string_view name;
  std::string_view meaning;
  PassStage stage;
  /// nullopt: it found nothing to do.
  std::optional<Network> (*run)(const Network& network, const PassBudget& budget);
};

/// All passes, in the order in which they are run: first ones first.
std::span<const Pass> passes();

struct PassReport {
  std::string_view name;
  NetworkSize before, after;
  std::size_t fluents, moves;  // after
  double milliseconds;
};

struct PassOptions {
  const StopSignal* stop = nullptr;
  MemoryBudget* memory = nullptr;  // for a network and the better one that is made of it
  std::set<std::string, std::less<>> skipped;  // names
  /// Proved of the game that the network plays (`find_exclusions`): later passes rely on it, and
  /// the network then says what it said in states that legal moves lead to.
  std::optional<std::vector<Structure::Exclusion>> exclusions;
  std::function<void(const PassReport&)> report;  // may be empty
  /// Called with the network before and after each pass: for equivalence checks.
  std::function<void(std::string_view, const Network&, const Network&)> inspect;
};

/// All passes of a stage but those skipped. Stopped, it returns the network as it is after the last
/// whole pass; without memory for a second one, as it is.
Network optimise(Network network, PassStage stage, const PassOptions& options);
/// Both stages.
Network optimise(Network network, const PassOptions& options);

// The passes, one a file.

/// Fluents that nothing playable depends on are removed.
Network remove_dead_fluents(const Network& network, const PassBudget& budget);
/// Fluents that never change and moves that are never legal, by ternary simulation from the initial
/// state.
Network propagate_constants(const Network& network, const PassBudget& budget);
/// What follows from at most one of some fluents holding, as `exclusions` say.
std::optional<Network> use_exclusions(const Network& network, const PassBudget& budget);
/// What follows from a role making exactly one move.
std::optional<Network> use_one_hot_moves(const Network& network, const PassBudget& budget);
/// Legal moves are made of what they come to where their role is in control, and of that fluent.
/// Nothing for networks of more than 50,000 nodes, or if that makes it no smaller.
std::optional<Network> cofactor_legal(const Network& network, const PassBudget& budget);
/// Common subsets of wide gates become gates of their own, the largest first.
Network share_wide_gates(const Network& network, const PassBudget& budget);

}  // namespace ludens::gdl
