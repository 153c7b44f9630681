// SPDX-License-Identifier: MIT
// A game of joint moves as a tree in which one role decides at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// The tree that all depth-first searches of this library search. At each state the roles decide in
/// turns: `first` (the searching role), then the others in role order, `random` last, each knowing
/// what was decided before it at that state. So the others answer the searching role's move, which
/// is the pessimistic view of simultaneous moves (Genesereth and Thielscher, chapter 6). With
/// turn-taking it is the game itself: a role with one legal move is skipped. At the root, the
/// searching role always decides.
///
/// A *node* is a state, or a state with some of its moves decided. Nothing is allocated once the
/// buffers have grown to the depth searched. One thread.
class GameTree {
 public:
  /// All arguments must outlive the tree.
  GameTree(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::RoleIndex first);

  /// Goes to the root of a new tree. `before`, which must outlive it: states that count as if they
  /// came before the root on each path; the root is none of them.
  gdl::Status reset(gdl::StateView root, std::span<const gdl::StateHash> before = {});

  /// Whether all moves that lead here were made: the node is a state.
  [[nodiscard]] bool is_state() const { return nodes_.back().decided == 0; }
  [[nodiscard]] gdl::StateView state() const { return walker_->state(); }
  [[nodiscard]] gdl::StateHash key() const { return levels_.back().key; }
  /// Joint moves from the root to here.
  [[nodiscard]] std::size_t depth() const { return levels_.size() - 1; }
  /// The depth at which the current state occurred before on the path, if it did; 0 if that was
  /// before the root.
  [[nodiscard]] std::optional<std::size_t> recurrence() const;
  /// Whether the current state occurred before on the path, and chance had a choice since then.
  [[nodiscard]] bool recurs_by_chance() const;

  /// Whether the current state is the end of the game, or one without successors (a role has no
  /// legal move); the latter is known only after `open`.
  [[nodiscard]] bool terminal() const { return levels_.back().terminal; }
  /// Goals of all roles in the current state, even before the end.
  gdl::Status goals(std::span<int> out) { return walker_->goals(out); }

  /// Finds the legal moves of a state that is not terminal, if that was not done in this visit. The
  /// following functions need it.
  gdl::Status open();
  [[nodiscard]] gdl::RoleIndex decider() const { return order_[nodes_.back().decider]; }
  [[nodiscard]] std::span<const gdl::MoveId> moves() const { return moves_of(decider()); }
  /// Legal moves of any role in the current state.
  [[nodiscard]] std::span<const gdl::MoveId> moves_of(gdl::RoleIndex role) const;
  /// Whether the decider's move, whatever it is, leads to another state.
  [[nodiscard]] bool decides_last() const { return next_decider() == order_.size(); }

  /// The decider makes a move. If that is not Ok, the node stays the same.
  gdl::Status down(gdl::MoveId move);
  void up();
  /// The joint move made at a depth above, or the part of it decided at this state (for other
  /// roles: the first legal move).
  [[nodiscard]] gdl::JointMove joint_move(std::size_t at_depth) const {
    return std::span(joint_).subspan(at_depth * order_.size(), order_.size());
  }

  /// The number of states visited since construction, including the root.
  [[nodiscard]] std::uint64_t states() const { return states_; }
  /// The greatest depth since construction.
  [[nodiscard]] std::size_t deepest() const { return deepest_; }
  [[nodiscard]] const gdl::Machine& machine() const { return machine_; }
  [[nodiscard]] gdl::Machine::Context& context() { return context_; }
  [[nodiscard]] gdl::RoleIndex first() const { return order_.front(); }

 private:
  struct Level {  // a state on the path
    gdl::StateHash key;
    std::size_t moves_begin = 0;  // into moves_; the roles' ranges are in begin_
    bool terminal = false;
    bool open = false;
    bool chance = false;  // `random` has a choice; known when it is open
  };
  struct Node {                 // a decision on the path
    std::uint32_t decider = 0;  // into order_
    std::uint32_t decided = 0;  // decisions made before it at the same state
  };
  /// Place in order_ of the next role that has a choice, after the current decider.
  [[nodiscard]] std::size_t next_decider() const;
  gdl::Status push_state();
  /// Appends the legal moves of the current state.
  gdl::Status list_moves();
  void pop_state();

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  std::unique_ptr<gdl::Walker> walker_;
  std::span<const gdl::StateHash> before_;
  std::vector<gdl::RoleIndex> order_;
  std::vector<Level> levels_;
  std::vector<Node> nodes_;
  std::vector<gdl::MoveId> moves_;  // legal moves of the open states of the path
  std::vector<std::size_t> begin_;  // [level * roles + role], into moves_, with its end in end_
  std::vector<std::size_t> end_;
  std::vector<gdl::MoveId> joint_;  // [level * roles + role]
  std::vector<gdl::MoveId> legal_;  // answer of the machine
  std::uint64_t states_ = 0;
  std::size_t deepest_ = 0;
};

}  // namespace ludens::search
