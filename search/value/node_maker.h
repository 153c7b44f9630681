// SPDX-License-Identifier: MIT
// Makes nodes: expands all joint moves of many positions in one call of the machine, and evaluates
// the resulting states.
#pragma once

#include <exception>
#include <vector>

#include "search/mcts/goal_sums.h"
#include "search/value/child_values.h"
#include "search/value/evaluator.h"
#include "search/value/tree.h"

namespace ludens::search::value {

/// A joint move, made in a position; owns neither.
struct Leaf {
  gdl::StateMove move;
  std::uint16_t ply = 0;  // of the resulting position, as in `Node`
};

/// Works for one thread, while other threads work with others.
class NodeMaker {
 public:
  /// All arguments must outlive it. If there is an evaluator, it evaluates the new positions, and
  /// the learned values are not used.
  NodeMaker(Tree& tree, const gdl::Machine& machine, gdl::Machine::Context& context,
            ChildValues child_values, Evaluator* evaluator, gdl::Rng rng);

  /// Makes nodes of the positions that the leaves lead to, in `made()`; they are not part of the
  /// tree yet, except where the tree had found the position (`Tree::find`). kNoNode if there is no
  /// memory, or if a role has no legal move. None of the positions may be the end. After anything
  /// but Ok nothing was made.
  gdl::Status make(std::span<const Leaf> leaves, bool adversaries);
  /// The same for one position, given the legal moves of all roles.
  gdl::Status make_root(gdl::StateView state, std::uint16_t ply,
                        std::span<const std::vector<gdl::MoveId>> legal, bool adversaries);
  [[nodiscard]] std::span<const NodeId> made() const { return made_; }
  /// Whether there is a new node; otherwise that of `made()`, if any, is part of the tree.
  [[nodiscard]] bool is_new(std::size_t position) const {
    return made_[position] != kNoNode && !known_[position];
  }
  /// The number of states evaluated by the last call.
  [[nodiscard]] std::size_t evaluated() const {
    return evaluator_ != nullptr ? asked_.states.size() : children_.size();
  }
  /// The exception of the evaluator that stopped the last call; otherwise null.
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }
  /// The sums of the goals of the ends seen so far.
  [[nodiscard]] const mcts::GoalSums& goal_sums() const { return goal_sums_; }

 private:
  /// A child of a node that is being made.
  struct Child {
    NodeId parent;
    std::uint32_t index;
  };
  gdl::Status make_all(bool adversaries);
  void find_or_begin(std::size_t position);
  NodeId begin(std::size_t position);
  void list_options(Node& node, std::size_t position);
  void place_options(Node& node);
  void list_children(NodeId id);
  gdl::Status expand(std::size_t first, std::size_t count);
  gdl::Status evaluate_children(std::size_t first);
  void take_end(Node& node, std::uint32_t child, std::size_t pair);
  gdl::Status ask_evaluator();
  void list_asked();
  void hand_down(Node& node, std::size_t position);
  [[nodiscard]] std::span<const float> weights(std::size_t position, gdl::RoleIndex role) const;
  void give_priors(Node& node, std::size_t position) const;
  void give_option_priors(Node& node, std::size_t position) const;
  static void multiply_priors(Node& node);
  void drop();

  Tree& tree_;
  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  ChildValues child_values_;
  Evaluator* evaluator_;  // null: the learned values are used
  gdl::Rng rng_;
  std::size_t roles_;
  mcts::GoalSums goal_sums_;

  // For the current call; reused.
  gdl::Expansion positions_, outcomes_;
  std::vector<gdl::StateMove> moves_;  // to the positions
  std::vector<std::uint16_t> plies_;   // [position]
  std::vector<NodeId> made_;           // [position]
  std::vector<bool> known_;            // [position]: the tree has it
  std::vector<Child> children_;        // of all positions
  std::vector<gdl::MoveId> joint_;     // [child * roles + role]
  std::vector<gdl::StateMove> pairs_;  // of a call of the machine
  std::vector<float> values_;          // [role]
  std::vector<std::uint64_t> goals_;   // [role]
  gdl::Expansion asked_;               // what the evaluator is asked about
  std::vector<std::size_t> places_;    // [position]: in `asked_`
  std::vector<float> evaluated_;       // [place * roles + role]
  std::vector<float> weights_;         // of the moves of all states asked about
  std::exception_ptr failure_;
};

}  // namespace ludens::search::value
