// Passes that make a network smaller or faster without changing what it says.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "gdl/machine/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// What a pass may cost. When its work is spent it returns with what it has; when the signal says
/// so, with anything, as nobody uses that.
struct PassBudget {
  const StopSignal* stop = nullptr;
  std::uint64_t work = 100'000'000;  // elementary steps
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
  Network (*run)(const Network& network, const PassBudget& budget);
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
  std::set<std::string, std::less<>> skipped;     // names
  std::function<void(const PassReport&)> report;  // may be empty
  /// Called with the network before and after each pass: for equivalence checks.
  std::function<void(std::string_view, const Network&, const Network&)> inspect;
};

/// All passes of a stage but those skipped. Stopped, it returns the network as it is after the last
/// whole pass.
Network optimise(Network network, PassStage stage, const PassOptions& options);
/// Both stages.
Network optimise(Network network, const PassOptions& options);

// The passes, one a file.

/// Fluents that nothing playable depends on are removed.
Network remove_dead_fluents(const Network& network, const PassBudget& budget);
/// Fluents that never change and moves that are never legal, by ternary simulation from the initial
/// state.
Network propagate_constants(const Network& network, const PassBudget& budget);
/// Common subsets of wide gates become gates of their own, the largest first.
Network share_wide_gates(const Network& network, const PassBudget& budget);

}  // namespace ludens::gdl
