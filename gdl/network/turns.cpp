// SPDX-License-Identifier: MIT
#include "gdl/network/turns.h"

#include <algorithm>

#include "gdl/network/control.h"
#include "gdl/network/copier.h"

namespace ludens::gdl {

namespace {

// Moves that are never legal, or the only one of a role and always legal, become constants. False
// if a role has no move.
bool settle_moves(const Network& network, Copier& copier, NodeMaker& maker) {
  std::vector<std::size_t> possible(network.roles(), 0);
  for (const Network::Move& m : network.moves) {
    possible[m.role] += copier.copy(m.legal, maker) != kFalse;
  }
  for (const Network::Move& m : network.moves) {
    const Edge legal = copier.copy(m.legal, maker);
    if (legal == kFalse || (legal == kTrueEdge && possible[m.role] == 1)) {
      copier.substitute(m.node, legal);
    }
  }
  return std::ranges::find(possible, std::size_t{0}) == possible.end();
}

}  // namespace

std::vector<Turn> find_turns(const Network& network, const StopSignal* stop) {
  if (!network.feedbacks.empty()) return {};
  std::vector<std::size_t> moves(network.roles(), 0);
  for (const Network::Move& m : network.moves) ++moves[m.role];
  const auto phases = find_phases(network, stop);
  std::vector<std::uint32_t> controls;
  std::size_t roles = 0;
  for (std::size_t role = 0; role < moves.size(); ++role) {
    if (moves[role] < 2) continue;
    if (phases[role].empty()) return {};
    for (const std::uint32_t control : phases[role]) {
      if (std::ranges::find(controls, control) != controls.end()) return {};
      controls.push_back(control);
    }
    ++roles;
  }
  if (roles < 2) return {};
  std::vector<Turn> turns(controls.size());
  for (std::size_t t = 0; t < turns.size(); ++t) {
    for (std::size_t c = 0; c < controls.size(); ++c) {
      turns[t].push_back({controls[c], c == t});
    }
  }
  return turns;
}

std::optional<Network> in_turn(const Network& network, const Turn& turn, const StopSignal* stop) {
  StopPoll poll(stop);
  Copier copier(network, &poll);
  Network to;
  SameGates maker(network, to);
  copier.add_fluents(to);
  for (const auto& [fluent, holds] : turn) {
    copier.substitute(network.fluents[fluent].node, holds ? kTrueEdge : kFalse);
  }
  if (!settle_moves(network, copier, maker)) return std::nullopt;
  copier.add_moves(to);
  copier.copy_step(to, maker);
  if (poll.stopped()) return std::nullopt;
  return to;
}

}  // namespace ludens::gdl
