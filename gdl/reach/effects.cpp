// SPDX-License-Identifier: MIT
#include "gdl/reach/effects.h"

#include <algorithm>
#include <bit>

#include "gdl/network/control.h"
#include "gdl/network/simulation.h"

namespace ludens::gdl {

namespace {

/// Nodes visited, of 64 states each: half a second.
constexpr std::uint64_t kMostWork = 200'000'000;
/// Random moves before the states in which moves are tried.
constexpr int kOpening = 16;
constexpr int kHalf = 32, kQuarter = 16;  // of the states

class MoveTrials {
 public:
  MoveTrials(const Network& network, std::span<const std::vector<std::uint32_t>> groups)
      : network_(network), groups_(groups), simulation_(network) {
    Rng rng(1);
    RandomGames games(network, rng);
    for (int i = 0; i < kOpening; ++i) {
      games.choose();
      games.step();
    }
    games.choose();
    states_ = games.now().fluents;
  }

  void begin_turn(const std::vector<std::optional<bool>>& known) {
    simulation_.fluents = states_;
    for (std::size_t f = 0; f < known.size(); ++f) {
      if (known[f]) simulation_.fluents[f] = *known[f] ? ~std::uint64_t{0} : 0;
    }
    without_ = next();
  }
  void make(std::uint32_t move, Effects& effects) {
    simulation_.moves[move] = ~std::uint64_t{0};
    const auto with = next();
    simulation_.moves[move] = 0;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      std::uint64_t changed = 0;
      for (const std::uint32_t f : groups_[g]) changed |= without_[f] ^ with[f];
      if (std::popcount(changed) > kHalf) effects.changed[move].push_back(g);
    }
    for (std::uint32_t f = 0; f < with.size(); ++f) {
      if (std::popcount(with[f]) > kHalf && std::popcount(with[f] & ~without_[f]) > kQuarter) {
        effects.gained[move].push_back(f);
      }
    }
  }

 private:
  std::vector<std::uint64_t> next() {
    simulation_.evaluate();
    std::vector<std::uint64_t> values;
    values.reserve(network_.fluents.size());
    for (const Network::Fluent& f : network_.fluents) values.push_back(simulation_.value(f.next));
    return values;
  }

  const Network& network_;
  std::span<const std::vector<std::uint32_t>> groups_;
  Simulation simulation_;
  std::vector<std::uint64_t> states_;   // [fluent]
  std::vector<std::uint64_t> without_;  // [fluent]: next if no role moves
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
    trials.begin_turn(turns.known(network.fluents.size(), r));
    for (const std::uint32_t m : turns.of_role[r].moves) {
      if (poll(network.gates.size())) return std::nullopt;
      trials.make(m, effects);
    }
  }
  return effects;
}

}  // namespace ludens::gdl
