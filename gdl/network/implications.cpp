// SPDX-License-Identifier: MIT
#include "gdl/network/implications.h"

#include <algorithm>

namespace ludens::gdl {

Implications::Implications(const Network& network, const std::vector<Group>& groups,
                           std::uint64_t work, StopPoll& poll)
    : network_(network),
      work_(work),
      poll_(poll),
      values_(network.gates.size(), Value::Open),
      falses_(network.gates.size(), 0),
      opens_(network.gates.size(), 0),
      fan_out_(network, &poll),
      groups_of_(network.fluents.size()),
      groups_(groups),
      moves_of_(network.roles()),
      moves_left_(network.roles(), 0),
      seen_(network.gates.size(), 0) {
  for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
    moves_of_[network.moves[m].role].push_back(m);
    ++moves_left_[network.moves[m].role];
  }
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t f : groups[g]) groups_of_[f].push_back(g);
  }
  for (NodeId n = 0; n < network.gates.size(); ++n) {
    if (network.gates.kind(n) != Gates::Kind::And) continue;
    opens_[n] = static_cast<std::uint32_t>(network.gates.inputs(n).size());
  }
  assume(kTrueEdge);
}

bool Implications::assume(Edge edge) {
  return set(edge) && hand_on();
}

void Implications::take_back(std::size_t mark) {
  while (trail_.size() > mark) {
    const NodeId node = trail_.back();
    if (trail_.size() <= handed_on_) count(node, -1);
    values_[node] = Value::Open;
    trail_.pop_back();
  }
  handed_on_ = std::min(handed_on_, mark);
}

// False if the opposite is known.
bool Implications::set(Edge edge) {
  const Value there = value(edge);
  if (there != Value::Open) return there == Value::True;
  values_[node_of(edge)] = is_inverted(edge) ? Value::False : Value::True;
  trail_.push_back(node_of(edge));
  return true;
}

bool Implications::hand_on() {
  while (handed_on_ < trail_.size()) {
    const NodeId node = trail_[handed_on_++];
    count(node, 1);
    if (exhausted()) return true;
    if (!conclude(node) || !look_at_readers(node)) return false;
  }
  return true;
}

// Enters a node's value into the counters of its readers, or takes it out.
void Implications::count(NodeId node, int sign) {
  const bool holds = values_[node] == Value::True;
  const auto by = static_cast<std::uint32_t>(sign);
  const auto all = fan_out_.gates(node);
  for (const Edge reader : all) {
    if (holds != is_inverted(reader)) {
      opens_[node_of(reader)] -= by;
    } else {
      falses_[node_of(reader)] += by;
    }
  }
  work_ -= std::min<std::uint64_t>(work_, all.size() + 1);
  poll_(all.size() + 1);
  if (network_.gates.kind(node) == Gates::Kind::Move && !holds) {
    moves_left_[network_.moves[network_.gates.index(node)].role] -= by;
  }
}

bool Implications::look_at_readers(NodeId node) {
  for (const Edge reader : fan_out_.gates(node)) {
    if (!look_at(node_of(reader))) return false;
  }
  for (const FanOut::Output& output : fan_out_.outputs(node)) {
    if (output.kind != Gates::Kind::Move) continue;
    const Network::Move& move = network_.moves[output.index];
    if (value(move.legal) == Value::False && !set(invert(move.node * 2))) return false;
  }
  return true;
}

bool Implications::look_at(NodeId gate) {
  if (falses_[gate] != 0) return set(invert(gate * 2));
  if (opens_[gate] == 0) return set(gate * 2);
  if (values_[gate] != Value::False || opens_[gate] != 1) return true;
  for (const Edge e : network_.gates.inputs(gate)) {
    if (value(e) == Value::Open) return set(invert(e));
  }
  return true;
}

// What a node's own value implies for others.
bool Implications::conclude(NodeId node) {
  const bool holds = values_[node] == Value::True;
  switch (network_.gates.kind(node)) {
    case Gates::Kind::Constant:
      return !holds;
    case Gates::Kind::Fluent:
      return !holds || exclude_others(node);
    case Gates::Kind::Move: {
      const std::uint32_t move = network_.gates.index(node);
      return holds ? make_move(move) : lose_move(network_.moves[move].role);
    }
    case Gates::Kind::And:
      if (!holds) return look_at(node);
      return std::ranges::all_of(network_.gates.inputs(node), [this](Edge e) { return set(e); });
    default:
      return true;
  }
}

bool Implications::exclude_others(NodeId fluent) {
  for (const std::uint32_t g : groups_of_[network_.gates.index(fluent)]) {
    for (const std::uint32_t f : groups_[g]) {
      const NodeId other = network_.fluents[f].node;
      if (other != fluent && !set(invert(other * 2))) return false;
    }
  }
  return true;
}

bool Implications::make_move(std::uint32_t move) {
  const Network::Move& made = network_.moves[move];
  if (!set(made.legal)) return false;
  for (const std::uint32_t m : moves_of_[made.role]) {
    if (m != move && !set(invert(network_.moves[m].node * 2))) return false;
  }
  return true;
}

// A role makes a move: the last that is left, if there is only one.
bool Implications::lose_move(RoleIndex role) {
  if (moves_left_[role] > 1) return true;
  if (moves_left_[role] == 0) return false;
  for (const std::uint32_t m : moves_of_[role]) {
    const Edge move = network_.moves[m].node * 2;
    if (value(move) != Value::False) return set(move);
  }
  return false;
}

bool Implications::refute(std::span<const Edge> roots, int depth, int cases) {
  cases_ = cases;
  return refute(roots, depth);
}

bool Implications::refute(std::span<const Edge> roots, int depth) {
  const NodeId choice = depth == 0 || exhausted() ? 0 : open_choice(roots);
  if (choice == 0) return false;
  for (const Edge e : network_.gates.inputs(choice)) {
    if (value(e) != Value::Open) continue;
    if (--cases_ < 0) return false;
    const std::size_t before = mark();
    const bool refuted = !assume(invert(e)) || refute(roots, depth - 1);
    take_back(before);
    if (!refuted || exhausted()) return false;
  }
  return true;
}

// A false gate on the way down from the roots whose reason is open: the one with the fewest
// possible reasons. 0 if there is none.
NodeId Implications::open_choice(std::span<const Edge> roots) {
  constexpr std::size_t kMostVisited = 200;
  ++round_;
  std::vector<NodeId> queue;
  const auto visit = [&](Edge e) {
    if (seen_[node_of(e)] == round_) return;
    seen_[node_of(e)] = round_;
    queue.push_back(node_of(e));
  };
  for (const Edge e : roots) visit(e);
  NodeId best = 0;
  for (std::size_t i = 0; i < queue.size() && queue.size() < kMostVisited; ++i) {
    const NodeId n = queue[i];
    if (network_.gates.kind(n) != Gates::Kind::And || values_[n] == Value::Open) continue;
    const auto inputs = network_.gates.inputs(n);
    if (values_[n] == Value::True) {
      for (const Edge e : inputs) visit(e);
    } else if (falses_[n] != 0) {
      visit(*std::ranges::find_if(inputs, [this](Edge e) { return is_false(e); }));
    } else if (best == 0 || opens_[n] < opens_[best]) {
      best = n;
    }
  }
  return best;
}

}  // namespace ludens::gdl
