// SPDX-License-Identifier: MIT
// GRAVE: tries moves by the results of playouts in which they were made later.
#pragma once

#include <unordered_map>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/mcts/descents.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// A move made after a position in a pass: in how many playouts a role made it, and in how many of
/// these it won.
struct MadeMove {
  Turn turn;
  float made, won;
};

/// All moves made below a node, at any time (AMAF, all moves as first).
class MoveTable {
 public:
  /// `most_visits`: the most that a move's statistics are worth, in visits of the tree with
  /// `playouts` playouts each.
  void add_bias(const Node& node, gdl::RoleIndex role, float most_visits, float playouts,
                std::span<MoveBias> biases) const;
  /// False if there is no memory; what was allocated is added to `held`.
  bool add(const MadeMove& made, gdl::HeldMemory& held, gdl::MemoryBudget* memory);
  void count_visits(std::uint32_t visits) { visits_ += visits; }
  [[nodiscard]] std::uint32_t visits() const { return visits_; }

 private:
  struct Count {
    float made = 0, won = 0;
    void add(const MadeMove& more);
  };
  struct Row {
    Count all;
    std::vector<Count> moves;  // [move id]
  };
  std::vector<Row> rows_;  // [role]
  std::uint32_t visits_ = 0;
};

/// Generalized Rapid Action Value Estimation (Cazenave 2015). RAVE (Gelly and Silver 2007) mixes
/// into the mean of a move the results of playouts in which it was made at any time below the node.
/// For rarely visited nodes these statistics say nothing, so those of the nearest node above that
/// was visited more than `least_visits` times are used. A move with a playouts counts as if it had
/// 1 / (1/a + 1/w) more visits, where w is the weight: in addition to n visits of its own, this is
/// the share of the paper, a / (a + n + a n / w). The value of these visits is the mean of the node
/// plus the move's difference from all of the role's moves in the same table, because positions far
/// below the reference are better or worse as a whole.
///
/// Only nodes that may serve as references have a table, in a separate map; it is valid as long as
/// the root. Not thread-safe.
class Grave {
 public:
  /// `memory` may be null.
  Grave(gdl::MemoryBudget* memory, double weight, std::uint32_t least_visits)
      : memory_(memory), weight_(static_cast<float>(weight)), least_visits_(least_visits) {}

  /// To be called if the root changed or nodes were pruned: some may be freed.
  void clear();
  /// The table of a node, if it may serve as a reference already.
  [[nodiscard]] const MoveTable* reference(NodeId id, std::uint32_t visits) const;
  /// Whether statistics still matter at a node with this many visits and moves.
  [[nodiscard]] bool matters(std::uint32_t visits, std::uint32_t moves) const;
  void add_bias(const MoveTable& reference, const Node& node, gdl::RoleIndex role,
                std::span<MoveBias> biases) const {
    reference.add_bias(node, role, weight_, playouts_, biases);
  }
  /// To be called when a group of descents has ended: adds the moves of its playouts, of which
  /// there were `playouts` per descent, and those on its path, to the tables above. `made` is
  /// consumed.
  void learn(Graph& graph, Descents& descents, std::uint32_t group, std::uint32_t playouts,
             std::vector<MadeMove>& made);

 private:
  MoveTable* table_of(NodeId id, std::uint32_t visits);

  gdl::MemoryBudget* memory_;
  gdl::HeldMemory held_;
  float weight_;
  std::uint32_t least_visits_;
  float playouts_ = 1;  // per descent
  std::unordered_map<NodeId, MoveTable> tables_;
};

}  // namespace ludens::search::mcts
