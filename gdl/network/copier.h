// SPDX-License-Identifier: MIT
// Copies gates with substitutions, for all code that makes one network from another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Makes the nodes of a copy that were not substituted.
class NodeMaker {
 public:
  virtual ~NodeMaker() = default;
  /// The inputs of a gate, by which it may be replaced: they are copied first, and `gate` gets
  /// their copies in this order. Valid until the next call.
  virtual std::span<const Edge> inputs(NodeId gate, std::span<const Edge> inputs);
  /// The copy of a gate. `copied` may be changed.
  virtual Edge gate(NodeId gate, std::vector<Edge>& copied) = 0;
  /// The copy of an input of the network: false unless overridden.
  virtual Edge input(NodeId input);
};

/// Makes the same gates in another network, where they are simplified and shared. A feedback that
/// is reached becomes one of the other network; its update stays an edge of the old one until
/// `Copier::copy_updates`. Both networks must outlive it.
class SameGates : public NodeMaker {
 public:
  SameGates(const Network& from, Network& to) : from_(from), to_(to) {}
  Edge gate(NodeId gate, std::vector<Edge>& copied) override;
  Edge input(NodeId input) override;

 private:
  const Network& from_;
  Network& to_;
};

/// Copies nodes of a network, each once. `substitute` sets what a single node becomes; a
/// `NodeMaker` makes the others. Does not recurse, because networks are deep, and polls (the poll
/// may be null): once stopped, `copy` returns false and what was made means nothing. The network
/// must outlive it. One thread. A copy of a copier has the same edges and is independent from then
/// on.
class Copier {
 public:
  /// `nodes`: a larger number than the network has if makers replace inputs by new gates.
  explicit Copier(const Network& from, StopPoll* poll = nullptr, std::size_t nodes = 0);

  /// The node, and the inputs of gates that read it, become this edge.
  void substitute(NodeId n, Edge e) { edges_[n] = e; }
  /// Fluents that have no edge yet become fluents of `to`, in their order. Their next values stay
  /// edges of the old network until `copy_step`.
  void add_fluents(Network& to);
  /// The same for moves, and for the roles that make them.
  void add_moves(Network& to);

  /// What the edge becomes. Makes the nodes that it needs, depth first.
  Edge copy(Edge root, NodeMaker& maker);
  /// Makes the gates of a cone, in their order.
  void copy_gates(const std::vector<bool>& cone, NodeMaker& maker);
  /// What an edge has become; its node must have an edge.
  Edge operator[](Edge e) const { return edges_[node_of(e)] ^ (e & 1); }

  /// Copies what is next, what is legal, and the end.
  void copy_step(Network& to, NodeMaker& maker);
  /// Copies the goals that are not false.
  void copy_goals(Network& to, NodeMaker& maker);
  /// Copies the percepts that are not false.
  void copy_percepts(Network& to, NodeMaker& maker);
  /// Copies the updates of feedbacks that were reached, and of those that are reached on the way.
  void copy_updates(Network& to, NodeMaker& maker);

 private:
  static constexpr Edge kNone = 0xffffffff;

  bool stopped(std::uint64_t work) { return poll_ != nullptr && (*poll_)(work); }
  [[nodiscard]] bool is_gate(NodeId n) const;
  bool make(NodeId n, NodeMaker& maker);
  bool push_missing(std::span<const Edge> inputs);
  void make_gate(NodeId n, std::span<const Edge> inputs, NodeMaker& maker);

  const Network& from_;
  StopPoll* poll_;
  std::vector<Edge> edges_;  // [node]
  std::vector<NodeId> stack_;
  std::vector<Edge> copied_;  // scratch of make_gate
};

}  // namespace ludens::gdl
