// SPDX-License-Identifier: MIT
// The text form of drawn games.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "gdl/rules/read.h"
#include "gdl/text/syntax.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search {

namespace {

using gdl::NodeIndex;

constexpr std::size_t kMaxDepth = 500;  // the reader recurses
constexpr TreeNode kNowhere = 0xffffffff;

std::optional<int> goal_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && value >= 0 && value <= 100 ? std::optional(value) : std::nullopt;
}

/// `NAME:REST` or `REST`.
struct Labelled {
  std::string_view before, after;  // of the last colon; `before` is empty without one
};

Labelled split_label(std::string_view atom) {
  const std::size_t colon = atom.rfind(':');
  if (colon == std::string_view::npos) return {{}, atom};
  return {atom.substr(0, colon), atom.substr(colon + 1)};
}

}  // namespace

/// Builds a machine in two passes: nodes with the names of moves and of the nodes they lead to,
/// then, when all names are known, the vocabulary and the numbers.
class TreeReader {
 public:
  explicit TreeReader(std::string text)
      : parsed_(gdl::parse(std::move(text),
                           {.max_bytes = std::size_t{1} << 30, .max_depth = kMaxDepth})) {}

  gdl::Result<std::shared_ptr<const TreeMachine>, gdl::Diagnostics> read(TreeLog* log) {
    errors_ = parsed_.errors;
    if (errors_.empty()) read_game();
    if (errors_.empty()) name_everything();
    if (errors_.empty()) {
      for (TreeNode node = 0; node < drafts_.size(); ++node) finish(node);
    }
    if (!errors_.empty()) return errors_;
    machine_->log_ = log;
    return std::shared_ptr<const TreeMachine>(std::move(machine_));
  }

 private:
  struct Child {
    std::vector<std::string> moves;  // one per role
    TreeNode node = 0;               // where it leads, or
    std::string reference;           // the name of the branch
    NodeIndex where = 0;
  };
  /// What is known about a node before all names are known.
  struct Draft {
    std::vector<Child> children;
  };

  void fail(NodeIndex where, std::string text) {
    errors_.push_back({gdl::Severity::Error, "tree", std::move(text), tree().location(where)});
  }
  [[nodiscard]] const gdl::SyntaxTree& tree() const { return parsed_.tree; }

  void read_game() {
    std::vector<NodeIndex> forms;
    for (const NodeIndex form : tree().forms()) forms.push_back(form);
    if (forms.size() != 2 || !tree().is_list(forms[0]) || tree().child_count(forms[0]) < 2) {
      errors_.push_back({gdl::Severity::Error, "tree", "expected (roles ROLE ...) and a node", {}});
      return;
    }
    for (const NodeIndex role : tree().children(forms[0])) {
      if (tree().is_list(role)) return fail(role, "a role is a name");
      roles_.emplace_back(tree().atom(role));
    }
    roles_.erase(roles_.begin());  // the word `roles`
    read_node(forms[1]);
    if (errors_.empty() && !machine_->nodes_[0].goals.empty()) fail(forms[1], "the root is a leaf");
  }

  TreeNode add_node(std::string_view name, NodeIndex where) {
    const auto index = static_cast<TreeNode>(machine_->nodes_.size());
    machine_->nodes_.emplace_back();
    drafts_.emplace_back();
    std::string full = name.empty() ? "n" + std::to_string(index) : std::string(name);
    if (!names_.emplace(full, index).second) fail(where, "two nodes are called " + full);
    machine_->nodes_.back().name = std::move(full);
    return index;
  }

  TreeNode read_node(NodeIndex at) {
    if (tree().is_atom(at)) return read_leaf(at);
    const NodeIndex head = tree().child(at, 0);
    if (head == gdl::kNoNode || tree().is_list(head)) {
      fail(at, "a node begins with a role, '*' or a goal");
      return 0;
    }
    if (goal_of(tree().atom(head))) return read_goals(at);
    return read_branch(at, head);
  }

  [[nodiscard]] bool is_chance(std::size_t role) const { return roles_[role] == "random"; }

  TreeNode read_leaf(NodeIndex at) {
    const auto [name, number] = split_label(tree().atom(at));
    const TreeNode node = add_node(name, at);
    const auto given = goal_of(number);
    const int goal = given.value_or(0);
    auto& goals = machine_->nodes_[node].goals;
    int players = 0;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      goals.push_back(is_chance(role) ? 0 : players++ == 0 ? goal : 100 - goal);
    }
    if (!given) fail(at, "expected a goal from 0 to 100");
    if (players > 2) fail(at, "with more than two roles a leaf is a list of goals");
    return node;
  }

  TreeNode read_goals(NodeIndex at) {
    const TreeNode node = add_node({}, at);
    std::vector<int> given;
    for (const NodeIndex child : tree().children(at)) {
      const auto goal = tree().is_atom(child) ? goal_of(tree().atom(child)) : std::nullopt;
      if (!goal) fail(child, "expected a goal from 0 to 100");
      given.push_back(goal.value_or(0));
    }
    auto& goals = machine_->nodes_[node].goals;
    std::size_t used = 0;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      goals.push_back(is_chance(role) || used >= given.size() ? 0 : given[used++]);
    }
    const auto players = roles_.size() - std::ranges::count(roles_, "random");
    if (given.size() != players) fail(at, "expected a goal for every role");
    return node;
  }

  TreeNode read_branch(NodeIndex at, NodeIndex head) {
    const std::string_view atom = tree().atom(head);
    const std::size_t colon = atom.find(':');
    const std::string_view role = atom.substr(0, colon);
    const auto mover = std::ranges::find(roles_, role);
    if (mover == roles_.end() && role != "*") {
      fail(head, "there is no role '" + std::string(role) + "'");
      return 0;
    }
    const TreeNode node =
        add_node(colon == std::string_view::npos ? std::string_view{} : atom.substr(colon + 1), at);
    NodeIndex child = tree().end(head);
    while (child < tree().end(at) && errors_.empty()) {
      child = role == "*" ? read_joint_child(node, child, tree().end(at))
                          : read_child(node, mover - roles_.begin(), child, tree().end(at));
    }
    if (drafts_[node].children.empty()) fail(at, "a branch has children");
    return node;
  }

  [[nodiscard]] bool is_move(NodeIndex at) const {
    if (tree().is_list(at)) return false;
    const std::string_view atom = tree().atom(at);
    return atom.front() != '@' && !goal_of(split_label(atom).after);
  }

  /// Reads `MOVE node` or `node`; returns the node after it.
  NodeIndex read_child(TreeNode parent, std::ptrdiff_t mover, NodeIndex at, NodeIndex end) {
    Child child;
    child.moves.assign(roles_.size(), "noop");
    std::string move = std::to_string(drafts_[parent].children.size() + 1);
    if (is_move(at)) {
      move = tree().atom(at);
      at = tree().end(at);
    }
    child.moves[mover] = move;
    return add_child(parent, std::move(child), at, end);
  }

  NodeIndex read_joint_child(TreeNode parent, NodeIndex at, NodeIndex end) {
    Child child;
    if (tree().is_list(at)) {
      for (const NodeIndex move : tree().children(at)) {
        if (tree().is_atom(move)) child.moves.emplace_back(tree().atom(move));
      }
    }
    if (child.moves.size() != roles_.size())
      fail(at, "expected (MOVE ...) with one for every role");
    return add_child(parent, std::move(child), tree().end(at), end);
  }

  NodeIndex add_child(TreeNode parent, Child child, NodeIndex at, NodeIndex end) {
    if (at == end) fail(at - 1, "a move leads nowhere");
    if (!errors_.empty()) return end;
    child.where = at;
    for (const std::string& move : child.moves) {
      if (std::ranges::find(moves_, move) == moves_.end()) moves_.push_back(move);
    }
    const std::size_t place = drafts_[parent].children.size();
    const bool reference = tree().is_atom(at) && tree().atom(at).front() == '@';
    if (reference) child.reference = tree().atom(at).substr(1);
    drafts_[parent].children.push_back(std::move(child));
    if (!reference) {
      const TreeNode node = read_node(at);
      drafts_[parent].children[place].node = node;
    }
    return tree().end(at);
  }

  /// The vocabulary: a rulesheet that only names roles, moves and nodes.
  void name_everything() {
    std::string text;
    for (const std::string& role : roles_) text += "(role " + role + ")";
    for (const std::string& move : moves_) text += "(input " + roles_[0] + " " + move + ")";
    for (const auto& node : machine_->nodes_) text += "(base " + node.name + ")";
    auto rules = gdl::read_rules(std::move(text)).normalised.rules;
    machine_->vocabulary_ = std::make_shared<gdl::Vocabulary>(std::move(rules));
    for (const std::string& move : moves_) ids_[move] = machine_->vocabulary_->move(constant(move));
    for (auto& node : machine_->nodes_) {
      node.fluent = machine_->vocabulary_->fluent(constant(node.name));
    }
  }

  gdl::GroundTerm constant(std::string_view name) {
    cell_ = *machine_->vocabulary_->rules().symbols.find(name) * 2;
    return {&cell_, 1};
  }

  void finish(TreeNode index) {
    auto& node = machine_->nodes_[index];
    if (!node.goals.empty()) return;
    const auto& children = drafts_[index].children;
    node.legal.resize(roles_.size());
    std::size_t combinations = 1;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      auto& legal = node.legal[role];
      for (const Child& child : children) {
        const gdl::MoveId move = ids_[child.moves[role]];
        if (std::ranges::find(legal, move) == legal.end()) legal.push_back(move);
      }
      if (!std::ranges::is_sorted(legal)) {
        fail(children[0].where, "moves come in another order than where they first appeared");
      }
      combinations *= legal.size();
    }
    if (combinations != children.size()) {
      return fail(children[0].where, "every combination of moves leads to exactly one node");
    }
    node.next.resize(combinations, kNowhere);
    for (const Child& child : children) node.next[place_of(node, child)] = target_of(child);
    if (std::ranges::find(node.next, kNowhere) != node.next.end()) {
      fail(children[0].where, "two children of a node have the same moves");
    }
  }

  std::size_t place_of(const TreeMachine::Node& node, const Child& child) {
    std::size_t place = 0;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      const auto& legal = node.legal[role];
      const auto at = std::ranges::find(legal, ids_[child.moves[role]]);
      place = place * legal.size() + static_cast<std::size_t>(at - legal.begin());
    }
    return place;
  }

  TreeNode target_of(const Child& child) {
    if (child.reference.empty()) return child.node;
    const auto found = names_.find(child.reference);
    if (found == names_.end()) fail(child.where, "there is no node '" + child.reference + "'");
    return found == names_.end() ? 0 : found->second;
  }

  gdl::ParsedText parsed_;
  gdl::Diagnostics errors_;
  std::shared_ptr<TreeMachine> machine_{new TreeMachine};
  std::vector<Draft> drafts_;  // [node]
  std::vector<std::string> roles_, moves_{"noop"};
  std::map<std::string, TreeNode, std::less<>> names_;
  std::map<std::string, gdl::MoveId, std::less<>> ids_;
  std::uint32_t cell_ = 0;
};

gdl::Result<std::shared_ptr<const TreeMachine>, gdl::Diagnostics> TreeMachine::parse(
    std::string text, TreeLog* log) {
  return TreeReader(std::move(text)).read(log);
}

}  // namespace ludens::search
