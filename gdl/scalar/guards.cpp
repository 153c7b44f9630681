// SPDX-License-Identifier: MIT
#include "gdl/scalar/guards.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gdl/network/copier.h"

namespace ludens::gdl::scalar {

namespace {

/// A role with more moves than this that do not need the guard gets no guard.
constexpr std::size_t kMostUnguarded = 8;
/// Gates visited for a move: shared ones are reached again and again.
constexpr int kMostNeeded = 256;
/// A guard for fewer moves saves nothing.
constexpr std::size_t kLeastGuarded = 8;

/// The fluents, as edges, that an edge needs: those among the inputs of its gate, of the AND gates
/// among these, and so on.
std::vector<Edge> needs(const Network& network, Edge edge) {
  std::vector<Edge> found, open{edge};
  for (int gates = 0; !open.empty() && gates < kMostNeeded; ++gates) {
    const Edge e = open.back();
    open.pop_back();
    const Gates::Kind kind = network.gates.kind(node_of(e));
    if (kind == Gates::Kind::Fluent) {
      found.push_back(e);
    } else if (kind == Gates::Kind::And && !is_inverted(e)) {
      const auto inputs = network.gates.inputs(node_of(e));
      open.insert(open.end(), inputs.begin(), inputs.end());
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<Guard> find_guard(const Network& network, RoleIndex role, StopPoll& poll) {
  std::map<Edge, std::size_t> counts;
  std::size_t moves = 0;
  for (const Network::Move& m : network.moves) {
    if (m.role != role) continue;
    ++moves;
    if (poll(kMostNeeded)) return std::nullopt;
    for (const Edge e : needs(network, m.legal)) ++counts[e];
  }
  const auto best =
      std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  if (best == counts.end() || best->second < kLeastGuarded ||
      best->second + kMostUnguarded < moves) {
    return std::nullopt;
  }
  const Edge literal = best->first;
  Guard guard{network.gates.index(node_of(literal)), is_inverted(literal), {}};
  for (const Network::Move& m : network.moves) {
    if (poll(m.role == role ? kMostNeeded : 1)) return std::nullopt;
    guard.unguarded.push_back(m.role != role ||
                              !std::ranges::binary_search(needs(network, m.legal), literal));
  }
  return guard;
}

/// Takes guards out of a network, role by role.
class Unguarding {
 public:
  Unguarding(const Network& network, StopPoll& poll)
      : network_(network), poll_(poll), plain_(network, &poll), gates_(network, out_.network) {
    plain_.add_fluents(out_.network);
    plain_.add_moves(out_.network);
  }

  GuardedNetwork run() {
    for (RoleIndex role = 0; role < network_.roles(); ++role) {
      out_.guards.push_back(find_guard(network_, role, poll_));
      if (out_.guards.back()) copy_legal(role);
    }
    copy_others();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_guarded(std::size_t move) const {
    const auto& guard = out_.guards[network_.moves[move].role];
    return guard && !guard->unguarded[move];
  }

  // Copies what the role's moves need in addition to the guard.
  void copy_legal(RoleIndex role) {
    const Guard& guard = *out_.guards[role];
    Copier guarded = plain_;
    guarded.substitute(network_.fluents[guard.fluent].node, guard.inverted ? kFalse : kTrueEdge);
    std::vector<Edge> legal;
    for (std::size_t m = 0; m < network_.moves.size(); ++m) {
      if (network_.moves[m].role == role && is_guarded(m)) legal.push_back(network_.moves[m].legal);
    }
    guarded.copy_gates(network_.cone(legal, &poll_), gates_);
    for (std::size_t m = 0; m < network_.moves.size(); ++m) {
      if (network_.moves[m].role != role || !is_guarded(m)) continue;
      out_.network.moves[m].legal = guarded.copy(network_.moves[m].legal, gates_);
    }
  }

  void copy_others() {
    std::vector<Edge> roots{network_.terminal};
    for (const Network::Fluent& f : network_.fluents) roots.push_back(f.next);
    for (std::size_t m = 0; m < network_.moves.size(); ++m) {
      if (!is_guarded(m)) roots.push_back(network_.moves[m].legal);
    }
    for (const auto& role : network_.goals) {
      for (const Network::Goal& g : role) roots.push_back(g.edge);
    }
    plain_.copy_gates(network_.cone(roots, &poll_), gates_);
    Network& to = out_.network;
    for (Network::Fluent& f : to.fluents) f.next = plain_.copy(f.next, gates_);
    for (std::size_t m = 0; m < to.moves.size(); ++m) {
      if (!is_guarded(m)) to.moves[m].legal = plain_.copy(to.moves[m].legal, gates_);
    }
    to.terminal = plain_.copy(network_.terminal, gates_);
    plain_.copy_goals(to, gates_);
  }

  const Network& network_;
  StopPoll& poll_;
  GuardedNetwork out_;
  Copier plain_;
  SameGates gates_;
};

}  // namespace

GuardedNetwork take_out_guards(const Network& network, StopPoll& poll) {
  return Unguarding(network, poll).run();
}

}  // namespace ludens::gdl::scalar
