// SPDX-License-Identifier: MIT
#include "gdl/network/solo.h"

#include <algorithm>
#include <vector>

#include "gdl/network/copier.h"

namespace ludens::gdl {

namespace {

/// What the role's goals, its legal moves and the end depend on, through any number of steps.
class Part {
 public:
  Part(const Network& network, RoleIndex role, StopPoll& poll)
      : network_(network), nodes_(network.gates.size(), false) {
    add(network.terminal);
    for (const Network::Goal& goal : network.goals[role]) add(goal.edge);
    for (const Network::Move& move : network.moves) {
      if (move.role == role) add(move.node * 2);
    }
    while (!left_.empty() && !poll(1)) {
      const NodeId node = left_.back();
      left_.pop_back();
      follow(node);
    }
  }

  [[nodiscard]] bool has(NodeId node) const { return nodes_[node]; }
  [[nodiscard]] bool has_all_fluents() const {
    return std::ranges::all_of(network_.fluents,
                               [&](const Network::Fluent& f) { return has(f.node); });
  }

 private:
  void add(Edge e) {
    if (nodes_[node_of(e)]) return;
    nodes_[node_of(e)] = true;
    left_.push_back(node_of(e));
  }

  void follow(NodeId node) {
    const Gates& gates = network_.gates;
    switch (gates.kind(node)) {
      case Gates::Kind::Constant:
        break;
      case Gates::Kind::Fluent:
        add(network_.fluents[gates.index(node)].next);
        break;
      case Gates::Kind::Move:
        add(network_.moves[gates.index(node)].legal);
        break;
      case Gates::Kind::Feedback:
        add(network_.feedbacks[gates.index(node)].update);
        break;
      case Gates::Kind::And:
        for (const Edge e : gates.inputs(node)) add(e);
        break;
    }
  }

  const Network& network_;
  std::vector<bool> nodes_;
  std::vector<NodeId> left_;
};

/// Puts the first legal move of each other role in place of what it chooses.
void fix_others(const Network& from, RoleIndex role, const Part& part, Copier& copier,
                SameGates& same, Network& to) {
  Edge none_before = kTrueEdge;  // of the role's moves so far, none is legal
  for (std::size_t m = 0; m < from.moves.size(); ++m) {
    const Network::Move& move = from.moves[m];
    if (m == 0 || from.moves[m - 1].role != move.role) none_before = kTrueEdge;
    if (move.role == role || !part.has(move.node)) continue;
    const Edge legal = copier.copy(move.legal, same);
    copier.substitute(move.node, to.gates.conjunction(legal, none_before));
    none_before = to.gates.conjunction(none_before, invert(legal));
  }
}

}  // namespace

std::optional<Network> solo_network(const Network& from, RoleIndex role, const StopSignal* stop) {
  StopPoll poll(stop);
  const Part part(from, role, poll);
  if (poll.stopped() || part.has_all_fluents()) return std::nullopt;
  Network to;
  to.goals.resize(1);
  Copier copier(from, &poll);
  SameGates same(from, to);
  for (const Network::Fluent& f : from.fluents) {
    if (!part.has(f.node)) continue;
    copier.substitute(f.node, to.add_fluent(f.id, f.initially));
    to.fluents.back().next = f.next;
  }
  for (const Network::Move& m : from.moves) {
    if (m.role != role) continue;
    copier.substitute(m.node, to.add_move(m.id, 0));
    to.moves.back().legal = m.legal;
  }
  fix_others(from, role, part, copier, same, to);
  copier.copy_step(to, same);
  for (const Network::Goal& g : from.goals[role]) {
    to.goals[0].push_back({g.value, copier.copy(g.edge, same)});
  }
  copier.copy_updates(to, same);
  if (poll.stopped()) return std::nullopt;
  return to;
}

}  // namespace ludens::gdl
