// SPDX-License-Identifier: MIT
// Passes that make a network smaller or faster without changing what it computes.
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

/// What a pass may cost. When its work is spent, it returns what it has. When it is stopped, it may
/// return anything, because the result is not used.
struct PassBudget {
  const StopSignal* stop = nullptr;
  std::uint64_t work = 100'000'000;                       // elementary steps
  std::span<const Structure::Exclusion> exclusions = {};  // proved for the game
};

/// A game can be played after the first passes, while the others run.
enum class PassStage : std::uint8_t {
  First,  // cost less than building the network
  Later,  // may cost more
};

struct Pass {
  std::string_view name;
  std::string_view meaning;
  PassStage stage;
  /// nullopt: it found nothing to do.
  std::optional<Network> (*run)(const Network& network, const PassBudget& budget);
};

/// All passes, in the order in which they run: those of the first stage first.
std::span<const Pass> passes();

struct PassReport {
  std::string_view name;
  NetworkSize before, after;
  std::size_t fluents, moves;  // after
  double milliseconds;
};

struct PassOptions {
  const StopSignal* stop = nullptr;
  MemoryBudget* memory = nullptr;  // for a network and the better one that is made from it
  std::set<std::string, std::less<>> skipped;  // names
  /// Proved for the game that the network plays (`find_exclusions`). Later passes rely on it; the
  /// network is then the same only in states that legal moves lead to.
  std::optional<std::vector<Structure::Exclusion>> exclusions;
  std::function<void(const PassReport&)> report;  // may be empty
  /// Called with the network before and after each pass: for equivalence checks.
  std::function<void(std::string_view, const Network&, const Network&)> inspect;
};

/// Runs all passes of a stage except those skipped. If stopped, it returns the network after the
/// last complete pass; without memory for a second network, the network unchanged.
Network optimise(Network network, PassStage stage, const PassOptions& options);
/// Runs both stages.
Network optimise(Network network, const PassOptions& options);

// The passes, one per file.

/// Removes fluents that nothing playable depends on.
Network remove_dead_fluents(const Network& network, const PassBudget& budget);
/// Removes fluents that never change and moves that are never legal, by ternary simulation from the
/// initial state.
Network propagate_constants(const Network& network, const PassBudget& budget);
/// Uses that at most one of some fluents holds, as `exclusions` say.
std::optional<Network> use_exclusions(const Network& network, const PassBudget& budget);
/// Uses that a role makes exactly one move.
std::optional<Network> use_one_hot_moves(const Network& network, const PassBudget& budget);
/// Replaces each legal move by what it simplifies to when its role is in control, combined with
/// that control fluent. Does nothing for networks of more than 50,000 nodes, or if the result is
/// not smaller.
std::optional<Network> cofactor_legal(const Network& network, const PassBudget& budget);
/// Makes common subsets of wide gates gates of their own, the largest first.
Network share_wide_gates(const Network& network, const PassBudget& budget);

}  // namespace ludens::gdl
