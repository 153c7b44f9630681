// A plain evaluation of a network, against which passes and machines are checked.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/network/network.h"

namespace ludens::gdl::testing {

/// 64 states at once: what is true of fluents (by id) and done (by role and move id).
struct Inputs {
  std::map<FluentId, std::uint64_t> fluents;
  std::map<std::pair<RoleIndex, MoveId>, std::uint64_t> moves;
};

/// Values of all nodes; feedbacks are iterated from false to their fixpoint.
inline std::vector<std::uint64_t> simulate(const Network& n, const Inputs& in) {
  std::vector<std::uint64_t> v(n.gates.size(), 0), back(n.feedbacks.size(), 0);
  auto value = [&](Edge e) { return is_inverted(e) ? ~v[node_of(e)] : v[node_of(e)]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId g = 0; g < n.gates.size(); ++g) {
      switch (n.gates.kind(g)) {
        case Gates::Kind::Constant:
          v[g] = 0;
          break;
        case Gates::Kind::Fluent:
          v[g] = in.fluents.at(n.fluents[n.gates.index(g)].id);
          break;
        case Gates::Kind::Move: {
          const Network::Move& m = n.moves[n.gates.index(g)];
          v[g] = in.moves.at({m.role, m.id});
          break;
        }
        case Gates::Kind::Feedback:
          v[g] = back[n.gates.index(g)];
          break;
        case Gates::Kind::And:
          v[g] = ~std::uint64_t{0};
          for (const Edge e : n.gates.inputs(g)) v[g] &= value(e);
      }
    }
    for (std::size_t f = 0; f < back.size(); ++f) {
      changed = changed || back[f] != value(n.feedbacks[f].update);
      back[f] = value(n.feedbacks[f].update);
    }
  }
  return v;
}

inline std::uint64_t value(const std::vector<std::uint64_t>& values, Edge e) {
  return is_inverted(e) ? ~values[node_of(e)] : values[node_of(e)];
}

/// Random states, and exactly one move of each role in each.
inline Inputs random_inputs(const Network& n, Rng& rng) {
  Inputs in;
  for (const Network::Fluent& f : n.fluents) in.fluents[f.id] = rng();
  for (const Network::Move& m : n.moves) in.moves[{m.role, m.id}] = 0;
  for (RoleIndex r = 0; r < n.roles(); ++r) {
    std::vector<MoveId> of;
    for (const Network::Move& m : n.moves) {
      if (m.role == r) of.push_back(m.id);
    }
    for (int lane = 0; lane < 64 && !of.empty(); ++lane) {
      in.moves[{r, of[rng.below(static_cast<std::uint32_t>(of.size()))]}] |= std::uint64_t{1}
                                                                             << lane;
    }
  }
  return in;
}

}  // namespace ludens::gdl::testing
