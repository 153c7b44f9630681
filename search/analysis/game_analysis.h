// SPDX-License-Identifier: MIT
// Properties of a game, found by playing it at random, and by visiting all of it if it is small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/stopping.h"

namespace ludens::search {

/// A property of a game. What was seen to happen is proved; that something never happens is proved
/// only if all states were visited or the rules say so; otherwise it is what the sample shows.
struct Fact {
  bool holds = false;
  bool proved = false;
};

/// The terms are those of the textbooks. With `turn_taking`, at most one role other than `random`
/// has a choice in any state; otherwise the game is simultaneous. `fixed_sum`: the goals of all
/// roles except `random` have the same sum in every terminal state (zero-sum). A goal is monotone
/// if it never decreases from one state to the next, including states before the end.
struct GameAnalysis {
  std::size_t roles = 0;
  std::optional<gdl::RoleIndex> random;
  std::size_t players = 0;  // roles other than `random`

  Fact single_player;
  Fact chance;  // `random` has a choice somewhere
  Fact turn_taking;
  Fact fixed_sum;
  Fact states_recur;                 // some game returns to a state
  std::vector<Fact> monotone_goals;  // [role]

  // From the random playouts.
  std::uint64_t playouts = 0;  // to the end
  std::uint64_t cut = 0;       // to the cap on steps, not counted above
  std::uint64_t steps = 0;
  double mean_length = 0;  // joint moves
  std::uint32_t longest = 0;
  double mean_branching = 0;       // joint moves per state
  double tree_magnitude = 0;       // log10 of the estimated number of ways to play (Knuth 1975)
  std::vector<double> mean_goals;  // [role]
  double steps_per_second = 0;     // of this analysis, which does more than a playout

  // From the visit of all states; nullopt if it was not finished.
  std::optional<std::uint64_t> states;
  std::optional<std::uint32_t> depth;  // joint moves of the longest game, if all games end

  [[nodiscard]] bool explored() const { return states.has_value(); }
};

/// How much an analysis may do. Without a deadline, the same seed gives the same analysis (except
/// for the rate).
struct AnalysisBudget {
  std::uint64_t playouts = 200;
  std::uint32_t step_cap = 1000;
  std::size_t states = 20'000;  // larger games are not visited; 0: none is
};

/// Analyses the game from a state on. Stops at the deadline with what it has; half of the time left
/// is kept for the visit of all states. Works in `context`, whose stop signal it sets during the
/// call; memory is counted against the context's budget.
GameAnalysis analyse(const gdl::Machine& machine, gdl::Machine::Context& context,
                     gdl::StateView from, const AnalysisBudget& budget, const Deadline& deadline,
                     gdl::Rng& rng);

}  // namespace ludens::search
