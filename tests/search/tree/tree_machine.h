// SPDX-License-Identifier: MIT
// Games drawn as trees, as a machine: the worked examples of textbooks in a form on which every
// search can run, node by node.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/text/diagnostic.h"
#include "gdl/text/error.h"

namespace ludens::search {

/// A node of a drawn game, numbered in text order from 0, the root.
using TreeNode = std::uint32_t;

/// The calls of a tree machine, in order. Not synchronised: for searches of one thread.
struct TreeLog {
  std::vector<TreeNode> entered;  // by a move, or as initial state
  std::vector<TreeNode> read;     // terminal nodes whose goals were read
};

/// A game given as text:
///
///     game  := (roles ROLE ...) node
///     node  := (ROLE child ...)          ROLE chooses; `random` chooses by chance
///            | (* joint-child ...)       all roles choose at once
///            | (GOAL ...)                the end: a goal for every role but `random`
///            | GOAL                      the end, for one role, or two that share 100
///            | @NAME                     the branch of that name, so that states can recur
///     child := node | MOVE node          without MOVE, the move is the child's number, from 1
///     joint-child := (MOVE ...) node     a move for every role; every combination must be there
///
/// `ROLE:NAME`, `*:NAME` and `NAME:GOAL` give nodes names; others are called n0, n1, ... by their
/// numbers. Roles that do not choose have the one move `noop`. Moves are numbered as they first
/// appear, and must come in that order at every node, so that the order of legal moves is that of
/// the text. At most 500 levels deep.
class TreeMachine final : public gdl::Machine {
 public:
  /// The machine, or what is wrong with the text. `log` may be null, otherwise it must outlive the
  /// machine.
  static gdl::Result<std::shared_ptr<const TreeMachine>, gdl::Diagnostics> parse(
      std::string text, TreeLog* log = nullptr);

  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const std::string& node_name(TreeNode node) const { return nodes_[node].name; }
  [[nodiscard]] static TreeNode node_of(gdl::StateView state) {
    return static_cast<TreeNode>(state.words()[0]);
  }
  /// The same game as a rulesheet.
  [[nodiscard]] std::string rulesheet() const;

  [[nodiscard]] std::string_view name() const override { return "tree"; }
  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const gdl::Limits& limits) const override;
  gdl::Status initial(Context& context, gdl::State& out) const override;
  gdl::Status legal(Context& context, gdl::StateView state, gdl::RoleIndex role,
                    std::vector<gdl::MoveId>& out) const override;
  gdl::Status next(Context& context, gdl::StateView state, gdl::JointMove move,
                   gdl::State& out) const override;
  gdl::Status terminal(Context& context, gdl::StateView state, bool& out) const override;
  gdl::Status goals(Context& context, gdl::StateView state, std::span<int> out) const override;
  gdl::Status fluents(Context& context, gdl::StateView state,
                      std::vector<gdl::FluentId>& out) const override;

 private:
  friend class TreeReader;
  struct Node {
    std::string name;
    std::vector<int> goals;                       // of all roles; empty for a branch
    std::vector<std::vector<gdl::MoveId>> legal;  // [role]
    std::vector<TreeNode> next;  // [mixed radix of the roles' choices, last role fastest]
    gdl::FluentId fluent = 0;
  };
  TreeMachine() = default;
  gdl::Status enter(Context& context, TreeNode node, gdl::State& out) const;

  std::vector<Node> nodes_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
  TreeLog* log_ = nullptr;
};

}  // namespace ludens::search
