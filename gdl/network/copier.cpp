// SPDX-License-Identifier: MIT
#include "gdl/network/copier.h"

#include <algorithm>

namespace ludens::gdl {

std::span<const Edge> NodeMaker::inputs(NodeId /*gate*/, std::span<const Edge> inputs) {
  return inputs;
}

Edge NodeMaker::input(NodeId /*input*/) {
  return kFalse;
}

Edge SameGates::gate(NodeId /*gate*/, std::vector<Edge>& copied) {
  return to_.gates.conjunction(copied);
}

Edge SameGates::input(NodeId input) {
  if (from_.gates.kind(input) != Gates::Kind::Feedback) return kFalse;
  const Edge e = to_.add_feedback();
  to_.feedbacks.back().update = from_.feedbacks[from_.gates.index(input)].update;
  return e;
}

Copier::Copier(const Network& from, StopPoll* poll, std::size_t nodes)
    : from_(from), poll_(poll), edges_(std::max(nodes, from.gates.size()), kNone) {
  edges_[0] = kFalse;
}

void Copier::add_fluents(Network& to) {
  for (const Network::Fluent& f : from_.fluents) {
    if (edges_[f.node] != kNone) continue;
    substitute(f.node, to.add_fluent(f.id, f.initially));
    to.fluents.back().next = f.next;
  }
}

void Copier::add_moves(Network& to) {
  to.goals.resize(from_.roles());
  for (const Network::Move& m : from_.moves) {
    if (edges_[m.node] != kNone) continue;
    substitute(m.node, to.add_move(m.id, m.role));
    to.moves.back().legal = m.legal;
  }
}

Edge Copier::copy(Edge root, NodeMaker& maker) {
  stack_.assign(1, node_of(root));
  while (!stack_.empty()) {
    if (stopped(8)) return kFalse;
    const NodeId n = stack_.back();
    if (edges_[n] != kNone || make(n, maker)) stack_.pop_back();
  }
  return (*this)[root];
}

void Copier::copy_gates(const std::vector<bool>& cone, NodeMaker& maker) {
  for (NodeId n = 0; n < cone.size(); ++n) {
    if (!cone[n] || from_.gates.kind(n) != Gates::Kind::And || edges_[n] != kNone) continue;
    const auto inputs = maker.inputs(n, from_.gates.inputs(n));
    if (stopped(inputs.size())) return;
    make_gate(n, inputs, maker);
  }
}

bool Copier::is_gate(NodeId n) const {
  return n >= from_.gates.size() || from_.gates.kind(n) == Gates::Kind::And;
}

// False if inputs must be made first, which are then on the stack.
bool Copier::make(NodeId n, NodeMaker& maker) {
  if (!is_gate(n)) {
    edges_[n] = maker.input(n);
    return true;
  }
  const auto own = n < from_.gates.size() ? from_.gates.inputs(n) : std::span<const Edge>();
  const auto inputs = maker.inputs(n, own);
  if (stopped(inputs.size() * 2) || push_missing(inputs)) return false;
  make_gate(n, inputs, maker);
  return true;
}

bool Copier::push_missing(std::span<const Edge> inputs) {
  const std::size_t before = stack_.size();
  for (const Edge e : inputs) {
    if (edges_[node_of(e)] == kNone) stack_.push_back(node_of(e));
  }
  return stack_.size() != before;
}

void Copier::make_gate(NodeId n, std::span<const Edge> inputs, NodeMaker& maker) {
  copied_.clear();
  for (const Edge e : inputs) {
    const NodeId input = node_of(e);
    if (edges_[input] == kNone) edges_[input] = maker.input(input);
    copied_.push_back((*this)[e]);
  }
  edges_[n] = maker.gate(n, copied_);
}

void Copier::copy_step(Network& to, NodeMaker& maker) {
  for (Network::Fluent& f : to.fluents) f.next = copy(f.next, maker);
  for (Network::Move& m : to.moves) m.legal = copy(m.legal, maker);
  to.terminal = copy(from_.terminal, maker);
}

void Copier::copy_goals(Network& to, NodeMaker& maker) {
  for (std::size_t r = 0; r < from_.roles(); ++r) {
    for (const Network::Goal& g : from_.goals[r]) {
      const Edge e = copy(g.edge, maker);
      if (e != kFalse) to.goals[r].push_back({g.value, e});
    }
  }
}

void Copier::copy_percepts(Network& to, NodeMaker& maker) {
  for (const Network::Percept& p : from_.percepts) {
    const Edge e = copy(p.edge, maker);
    if (e != kFalse) to.percepts.push_back({p.id, p.role, e});
  }
}

void Copier::copy_updates(Network& to, NodeMaker& maker) {
  for (std::size_t f = 0; f < to.feedbacks.size(); ++f) {  // grows while it runs
    const Edge e = copy(to.feedbacks[f].update, maker);
    to.feedbacks[f].update = e;
  }
}

}  // namespace ludens::gdl
