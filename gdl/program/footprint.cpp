// SPDX-License-Identifier: MIT
#include "gdl/program/footprint.h"

#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

namespace {

std::size_t bytes_of_alternatives(const Structure::Alternatives& alternatives) {
  std::size_t bytes = bytes_of_rows(alternatives);
  for (const auto& conditions : alternatives) {
    for (const Structure::Condition& c : conditions) {
      bytes += bytes_of(c.fluents, c.inputs, c.begin);
    }
  }
  return bytes;
}

}  // namespace

std::size_t bytes_of(const Program& p) {
  std::size_t bytes = sizeof(Program) + p.initially.capacity() / 8 +
                      bytes_of(p.fluents, p.next, p.moves, p.first_move, p.goals, p.percepts);
  bytes += bytes_of(p.choices, p.legal_inputs);
  for (const LegalLeaves& c : p.choices) {
    bytes += bytes_of(c.leaves, c.code, c.families, c.own, c.first_set, c.sets);
  }
  for (std::size_t i = 0; i < kPhases; ++i) {
    bytes += bytes_of(p.runs[i], p.code[i], p.loops[i], p.feedbacks[i]);
  }
  return bytes;
}

std::size_t bytes_of(const Network& network) {
  constexpr std::size_t kNode = 12;    // kind and inputs
  constexpr std::size_t kHashed = 14;  // an entry of 8 bytes, of which 0.45 to 0.7 are used
  std::size_t inputs = 0;
  for (NodeId n = 0; n < network.gates.size(); ++n) {
    if (network.gates.kind(n) == Gates::Kind::And) inputs += network.gates.inputs(n).size();
  }
  return sizeof(Network) + network.gates.size() * (kNode + kHashed) + inputs * sizeof(Edge) +
         bytes_of(network.fluents, network.moves, network.feedbacks, network.percepts) +
         bytes_of_rows(network.goals);
}

std::size_t bytes_of(const Structure& s) {
  std::size_t bytes = bytes_of(s.exclusions, s.factors, s.control, s.end_factors, s.reachable) +
                      bytes_of_rows(s.goals) + bytes_of_rows(s.goal_factors);
  for (const Structure::Exclusion& e : s.exclusions) bytes += bytes_of(e.fluents);
  for (const Structure::Factor& f : s.factors) bytes += bytes_of(f.fluents, f.moves);
  for (const auto& role : s.goals) {
    for (const Structure::GoalValue& g : role) {
      bytes += bytes_of(g.fluents) + (g.alternatives ? bytes_of_alternatives(*g.alternatives) : 0);
    }
  }
  return bytes + (s.end ? bytes_of_alternatives(*s.end) : 0);
}

std::size_t bytes_of(const GameNetwork& game) {
  return bytes_of(game.network) + (game.structure != nullptr ? bytes_of(*game.structure) : 0) +
         bytes_of_rows(game.observed_exclusions) +
         (game.ground_rules != nullptr ? game.ground_rules->bytes() : 0);
}

}  // namespace ludens::gdl
