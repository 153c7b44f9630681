// SPDX-License-Identifier: MIT
// Making nodes: all joint moves of many positions are made in one call of the machine, and what
// they lead to is judged.
#pragma once

#include <vector>

#include "search/mcts/goal_sums.h"
#include "search/value/judge.h"
#include "search/value/tree.h"

namespace ludens::search::value {

/// A joint move, made in a position; both are somebody else's.
using Leaf = gdl::StateMove;

/// Works for one thread, beside others.
class NodeMaker {
 public:
  /// All must outlive it.
  NodeMaker(Tree& tree, const gdl::Machine& machine, gdl::Machine::Context& context, Judge judge,
            gdl::Rng rng);

  /// Nodes of the positions that the leaves lead to, in `made()`, not part of the tree yet; kNoNode
  /// where there is no memory, or where a role has no legal move. None of the positions is the end.
  /// After anything but Ok nothing was made.
  gdl::Status make(std::span<const Leaf> leaves, bool adversaries);
  /// The same of one position, by its legal moves of all roles.
  gdl::Status make_root(gdl::StateView state, std::span<const std::vector<gdl::MoveId>> legal,
                        bool adversaries);
  [[nodiscard]] std::span<const NodeId> made() const { return made_; }
  /// States judged by the last call.
  [[nodiscard]] std::size_t judged() const { return children_.size(); }
  /// The sums of the goals of the ends met so far.
  [[nodiscard]] const mcts::GoalSums& goal_sums() const { return goal_sums_; }

 private:
  /// A child of a node that is being made.
  struct Child {
    NodeId parent;
    std::uint32_t index;
  };
  gdl::Status make_all(bool adversaries);
  NodeId begin(std::size_t position);
  void list_options(Node& node, std::size_t position);
  void place_options(Node& node);
  void list_children(NodeId id);
  gdl::Status expand(std::size_t first, std::size_t count);
  gdl::Status judge(std::size_t first);
  void take_end(Node& node, std::uint32_t child, std::size_t pair);
  void give_priors(Node& node) const;
  void give_option_priors(Node& node) const;
  void drop();

  Tree& tree_;
  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  Judge judge_;
  gdl::Rng rng_;
  std::size_t roles_;
  mcts::GoalSums goal_sums_;

  // Of the call under way; kept to be filled again.
  gdl::Expansion positions_, outcomes_;
  std::vector<NodeId> made_;           // [position]
  std::vector<Child> children_;        // of all positions
  std::vector<gdl::MoveId> joint_;     // [child * roles + role]
  std::vector<gdl::StateMove> pairs_;  // of a call of the machine
  std::vector<float> values_;          // [role]
  std::vector<std::uint64_t> goals_;   // [role]
};

}  // namespace ludens::search::value
