// SPDX-License-Identifier: MIT
// The propositional network of a game: next state, legal moves, end, goals and percepts, as gates
// over fluents and moves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/hash_index.h"
#include "gdl/memory/large_array.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl {

using NodeId = std::uint32_t;
/// A node or its complement: `node * 2 + inverted`.
using Edge = std::uint32_t;
inline constexpr Edge kFalse = 0, kTrueEdge = 1;
inline constexpr Edge invert(Edge e) {
  return e ^ 1;
}
inline constexpr NodeId node_of(Edge e) {
  return e >> 1;
}
inline constexpr bool is_inverted(Edge e) {
  return e & 1;
}

/// Wide AND gates with inverted edges, structurally hashed: equal gates are one node. Inputs of a
/// gate are sorted, distinct, and older than the gate, so that node order is an evaluation order.
/// Node 0 is the constant false.
class Gates {
 public:
  enum class Kind : std::uint8_t { Constant, Fluent, Move, Feedback, And };

  Gates();
  /// `index`: into Network::fluents, moves or feedbacks.
  Edge add_input(Kind kind, std::uint32_t index);
  /// Simplifies constants, duplicates and contradictions. Leaves `inputs` unspecified.
  Edge conjunction(std::vector<Edge>& inputs);
  Edge conjunction(Edge a, Edge b);
  Edge disjunction(std::vector<Edge>& inputs);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * sizeof(Node) + pool_.size() * sizeof(Edge) + index_.bytes();
  }
  [[nodiscard]] Kind kind(NodeId n) const { return nodes_[n].kind; }
  /// The index of an input node.
  [[nodiscard]] std::uint32_t index(NodeId n) const { return nodes_[n].first; }
  /// Whether an edge is an AND gate, not its complement.
  [[nodiscard]] bool is_and(Edge e) const {
    return !is_inverted(e) && kind(node_of(e)) == Kind::And;
  }
  /// The inputs of an AND gate.
  [[nodiscard]] std::span<const Edge> inputs(NodeId n) const {
    return {pool_.data() + nodes_[n].first, nodes_[n].count};
  }

 private:
  struct Node {
    Kind kind;
    std::uint32_t first, count;
  };

  LargeArray<Node> nodes_;
  LargeArray<Edge> pool_;
  HashIndex index_;  // of gates
};

/// A game as a network. A value type: passes make a new network from an old one.
struct Network {
  struct Fluent {
    FluentId id;
    NodeId node;
    Edge next;
    bool initially;
  };
  struct Move {
    MoveId id;
    RoleIndex role;
    NodeId node;
    Edge legal;
  };
  struct Goal {
    int value;
    Edge edge;
  };
  /// What a role perceives (`sees` of GDL-II), depending on the state before and the moves.
  struct Percept {
    PerceptId id;
    RoleIndex role;
    Edge edge;
  };
  /// Where ground rules depend on each other in a cycle, the cycle is cut: `node` has the value
  /// that `update` had in the round before, and is false in the first round. Rounds are repeated
  /// until nothing changes: the least fixpoint.
  struct Feedback {
    NodeId node;
    Edge update;
  };

  Gates gates;
  std::vector<Fluent> fluents;
  std::vector<Move> moves;  // grouped by role, roles ascending
  Edge terminal = kFalse;
  std::vector<std::vector<Goal>> goals;  // [role]
  std::vector<Percept> percepts;         // by role, then id
  std::vector<Feedback> feedbacks;

  /// Adds a fluent, a move or a feedback after the others, with its input, which is returned. Its
  /// next value, legality or update is false until it is set.
  Edge add_fluent(FluentId id, bool initially);
  Edge add_move(MoveId id, RoleIndex role);
  Edge add_feedback();

  [[nodiscard]] std::size_t roles() const { return goals.size(); }
  /// next, legal, terminal, goals, percepts and updates, in this order.
  [[nodiscard]] std::vector<Edge> outputs() const;
  /// [node]: whether it is in the cone of the roots. Updates of feedbacks reached on the way belong
  /// to it. If stopped by the poll (may be null), the result means nothing.
  [[nodiscard]] std::vector<bool> cone(std::span<const Edge> roots, StopPoll* poll = nullptr) const;
};

struct NetworkSize {
  std::size_t gates = 0;      // AND gates that an output depends on
  std::size_t two_input = 0;  // the same, counted in gates of two inputs
  std::size_t depth = 0;      // in gates of two inputs
};
NetworkSize measure(const Network& network);

}  // namespace ludens::gdl
