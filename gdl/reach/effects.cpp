// SPDX-License-Identifier: MIT
#include "gdl/reach/effects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "gdl/network/control.h"
#include "gdl/network/simulation.h"

namespace ludens::gdl {

namespace {

/// Nodes visited, of 64 states each: half a second.
constexpr std::uint64_t kMostWork = 200'000'000;
/// Random moves before the states in which moves are tried.
constexpr int kOpening = 16;
/// Nodes looked at to make one move legal.
constexpr int kMostVisits = 4'096;

/// Changes 64 states such that gates become true, by as few fluents as it finds without a search:
/// where one of several inputs is enough, it takes one at random.
class Forcing {
 public:
  /// `before`: evaluated, with the states as they are. Both must outlive it.
  Forcing(const Network& network, std::span<const std::vector<std::uint32_t>> groups,
          const Simulation& before)
      : network_(network),
        groups_(groups),
        before_(before),
        group_of_(network.fluents.size(), kNone) {
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const std::uint32_t f : groups[g]) group_of_[f] = g;
    }
  }

  /// Fluents with known values stay as they are. The result need not make the gate true, as what
  /// one input needs may be what another one forbids.
  void make_true(Edge gate, const std::vector<std::optional<bool>>& known,
                 std::vector<std::uint64_t>& fluents) {
    stack_.assign(1, {gate, ~std::uint64_t{0}});
    for (int visits = 0; !stack_.empty() && visits < kMostVisits; ++visits) {
      auto [e, states] = stack_.back();
      stack_.pop_back();
      states &= ~before_.value(e);
      if (states == 0) continue;
      const NodeId n = node_of(e);
      if (network_.gates.kind(n) == Gates::Kind::Fluent) {
        const std::uint32_t f = network_.gates.index(n);
        if (!known[f]) set(f, !is_inverted(e), states, fluents);
      } else if (network_.gates.kind(n) == Gates::Kind::And) {
        is_inverted(e) ? need_one(n, states) : need_all(n, states);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void need_all(NodeId n, std::uint64_t states) {
    for (const Edge input : network_.gates.inputs(n)) stack_.emplace_back(input, states);
  }
  void need_one(NodeId n, std::uint64_t states) {
    const auto inputs = network_.gates.inputs(n);
    const std::size_t begin = stack_.size();
    for (const Edge input : inputs) stack_.emplace_back(invert(input), 0);
    for (; states != 0; states &= states - 1) {
      const std::size_t one = rng_.below(static_cast<std::uint32_t>(inputs.size()));
      stack_[begin + one].second |= states & (~states + 1);
    }
  }
  /// At most one fluent of a group holds.
  void set(std::uint32_t fluent, bool value, std::uint64_t states,
           std::vector<std::uint64_t>& fluents) const {
    if (value && group_of_[fluent] != kNone) {
      for (const std::uint32_t f : groups_[group_of_[fluent]]) fluents[f] &= ~states;
    }
    value ? fluents[fluent] |= states : fluents[fluent] &= ~states;
  }

  const Network& network_;
  std::span<const std::vector<std::uint32_t>> groups_;
  const Simulation& before_;
  std::vector<std::uint32_t> group_of_;                // [fluent]
  std::vector<std::pair<Edge, std::uint64_t>> stack_;  // what must be true, in which states
  Rng rng_{1};
};

class MoveTrials {
 public:
  MoveTrials(const Network& network, std::span<const std::vector<std::uint32_t>> groups)
      : network_(network),
        groups_(groups),
        turn_(network),
        trial_(network),
        forcing_(network, groups, turn_) {
    RandomGames games(network, rng_);
    for (int i = 0; i < kOpening; ++i) {
      games.choose();
      games.step();
    }
    games.choose();
    states_ = games.now().fluents;
  }

  void begin_turn(RoleIndex role, std::vector<std::optional<bool>> known) {
    known_ = std::move(known);
    turn_.fluents = states_;
    for (std::size_t f = 0; f < known_.size(); ++f) {
      if (known_[f]) turn_.fluents[f] = *known_[f] ? ~std::uint64_t{0} : 0;
    }
    turn_.evaluate();
    std::ranges::fill(trial_.moves, 0);
    for (RoleIndex other = 0; other < network_.roles(); ++other) {
      if (other != role) choose(other);
    }
  }
  void make(std::uint32_t move, Effects& effects) {
    const Edge legal = network_.moves[move].legal;
    trial_.fluents = turn_.fluents;
    forcing_.make_true(legal, known_, trial_.fluents);
    trial_.moves[move] = ~std::uint64_t{0};
    trial_.evaluate();
    trial_.moves[move] = 0;
    std::uint64_t states = trial_.value(legal);
    if (states == 0) states = ~states;
    const auto often = [&](std::uint64_t in) {
      return 8 * std::popcount(in & states) > 7 * std::popcount(states);
    };
    for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) {
      if (often(gained(f))) effects.gained[move].push_back(f);
    }
    const auto find_changed = [&](auto how) {
      for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        std::uint64_t changed = 0;
        for (const std::uint32_t f : groups_[g]) changed |= known_[f] ? 0 : (this->*how)(f);
        if (often(changed)) effects.changed[move].push_back(g);
      }
    };
    find_changed(&MoveTrials::gained);
    if (effects.changed[move].empty()) find_changed(&MoveTrials::lost);
  }

 private:
  [[nodiscard]] std::uint64_t gained(std::uint32_t fluent) const {
    return trial_.value(network_.fluents[fluent].next) & ~trial_.fluents[fluent];
  }
  [[nodiscard]] std::uint64_t lost(std::uint32_t fluent) const {
    return trial_.fluents[fluent] & ~trial_.value(network_.fluents[fluent].next);
  }
  /// One of the role's legal moves in each state.
  void choose(RoleIndex role) {
    std::array<std::vector<std::uint32_t>, 64> legal;
    for (std::uint32_t m = 0; m < network_.moves.size(); ++m) {
      if (network_.moves[m].role != role) continue;
      for (std::uint64_t in = turn_.value(network_.moves[m].legal); in != 0; in &= in - 1) {
        legal[static_cast<std::size_t>(std::countr_zero(in))].push_back(m);
      }
    }
    for (std::size_t state = 0; state < legal.size(); ++state) {
      if (legal[state].empty()) continue;
      const std::uint32_t one = rng_.below(static_cast<std::uint32_t>(legal[state].size()));
      trial_.moves[legal[state][one]] |= std::uint64_t{1} << state;
    }
  }

  const Network& network_;
  std::span<const std::vector<std::uint32_t>> groups_;
  Rng rng_{1};
  std::vector<std::uint64_t> states_;  // [fluent]
  std::vector<std::optional<bool>> known_;
  Simulation turn_, trial_;  // before a move is made legal, and where it is made
  Forcing forcing_;
};

/// The phase of a role's turn in which it has the most moves.
MainTurn main_turn(const Network& network, RoleIndex role, const std::vector<std::uint32_t>& phases,
                   const StopSignal* stop) {
  MainTurn main;
  const auto moves = [&](const std::vector<bool>* among) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
      const Network::Move& move = network.moves[m];
      if (move.role != role || move.legal == kFalse) continue;
      if (among == nullptr || (*among)[m]) found.push_back(m);
    }
    return found;
  };
  if (phases.empty()) main.moves = moves(nullptr);
  for (const std::uint32_t phase : phases) {
    const std::vector<bool> need = moves_that_need(network, phase, stop);
    auto found = moves(&need);
    if (found.size() > main.moves.size()) main = {phase, std::move(found)};
  }
  return main;
}

}  // namespace

std::vector<std::optional<bool>> MainTurns::known(std::size_t fluents, RoleIndex role) const {
  std::vector<std::optional<bool>> values(fluents);
  if (!of_role[role].fluent) return values;
  for (const std::uint32_t control : controls) values[control] = control == *of_role[role].fluent;
  return values;
}

MainTurns find_main_turns(const Network& network, const StopSignal* stop) {
  MainTurns turns;
  const auto phases = find_phases(network, stop);
  for (RoleIndex r = 0; r < network.roles(); ++r) {
    turns.of_role.push_back(main_turn(network, r, phases[r], stop));
    turns.controls.insert(turns.controls.end(), phases[r].begin(), phases[r].end());
  }
  return turns;
}

std::optional<Effects> find_effects(const Network& network, const MainTurns& turns,
                                    std::span<const std::vector<std::uint32_t>> groups,
                                    const StopSignal* stop) {
  if (network.moves.size() * network.gates.size() > kMostWork) return std::nullopt;
  StopPoll poll(stop);
  Effects effects;
  effects.changed.resize(network.moves.size());
  effects.gained.resize(network.moves.size());
  MoveTrials trials(network, groups);
  for (RoleIndex r = 0; r < network.roles(); ++r) {
    trials.begin_turn(r, turns.known(network.fluents.size(), r));
    for (const std::uint32_t m : turns.of_role[r].moves) {
      if (poll(network.gates.size())) return std::nullopt;
      trials.make(m, effects);
    }
  }
  return effects;
}

}  // namespace ludens::gdl
