// SPDX-License-Identifier: MIT
#include "tests/search/tree/tree_machine.h"

#include <algorithm>
#include <optional>

namespace ludens::search {

namespace {

using gdl::Status;

Status status_of(const gdl::Machine::Context& context) {
  const gdl::StopSignal* stop = context.limits.stop;
  return stop != nullptr && stop->stop_requested() ? Status::Stopped : Status::Ok;
}

/// Digit of each role in the mixed-radix number of a joint choice.
template <class Legal, class Visit>
void for_each_choice(const Legal& legal, std::size_t index, const Visit& visit) {
  for (std::size_t role = legal.size(); role-- > 0;) {
    visit(role, legal[role][index % legal[role].size()]);
    index /= legal[role].size();
  }
}

}  // namespace

std::unique_ptr<gdl::Machine::Context> TreeMachine::make_context(const gdl::Limits& limits) const {
  return std::make_unique<Context>(limits);
}

Status TreeMachine::enter(Context& context, TreeNode node, gdl::State& out) const {
  out.words().assign(1, node);
  if (log_ != nullptr) log_->entered.push_back(node);
  return status_of(context);
}

Status TreeMachine::initial(Context& context, gdl::State& out) const {
  return enter(context, 0, out);
}

Status TreeMachine::legal(Context& context, gdl::StateView state, gdl::RoleIndex role,
                          std::vector<gdl::MoveId>& out) const {
  const Node& node = nodes_[node_of(state)];
  if (node.goals.empty()) {
    out = node.legal[role];
  } else {
    out.clear();
  }
  return status_of(context);
}

Status TreeMachine::next(Context& context, gdl::StateView state, gdl::JointMove move,
                         gdl::State& out) const {
  const Node& node = nodes_[node_of(state)];
  std::size_t index = 0;
  for (std::size_t role = 0; role < node.legal.size(); ++role) {
    const auto& legal = node.legal[role];
    const auto at = std::ranges::find(legal, move[role]);
    if (at == legal.end()) return enter(context, node_of(state), out);  // nothing follows
    index = index * legal.size() + static_cast<std::size_t>(at - legal.begin());
  }
  return enter(context, node.next.empty() ? node_of(state) : node.next[index], out);
}

Status TreeMachine::terminal(Context& context, gdl::StateView state, bool& out) const {
  out = !nodes_[node_of(state)].goals.empty();
  return status_of(context);
}

Status TreeMachine::goals(Context& context, gdl::StateView state, std::span<int> out) const {
  const Node& node = nodes_[node_of(state)];
  std::ranges::fill(out, 0);
  std::ranges::copy(node.goals, out.begin());
  if (log_ != nullptr && !node.goals.empty()) log_->read.push_back(node_of(state));
  return status_of(context);
}

Status TreeMachine::fluents(Context& context, gdl::StateView state,
                            std::vector<gdl::FluentId>& out) const {
  out.assign(1, nodes_[node_of(state)].fluent);
  return status_of(context);
}

std::string TreeMachine::rulesheet() const {
  std::string text;
  for (gdl::RoleIndex role = 0; role < role_count(); ++role) {
    text += "(role " + role_name(role) + ")\n";
  }
  text += "(init " + nodes_[0].name + ")\n";
  for (const Node& node : nodes_) {
    const std::string here = " (true " + node.name + ")";
    if (!node.goals.empty()) text += "(<= terminal" + here + ")\n";
    for (gdl::RoleIndex role = 0; role < node.goals.size(); ++role) {
      text += "(<= (goal " + role_name(role) + " " + std::to_string(node.goals[role]) + ")" + here +
              ")\n";
    }
    for (gdl::RoleIndex role = 0; role < node.legal.size(); ++role) {
      for (const gdl::MoveId move : node.legal[role]) {
        text += "(<= (legal " + role_name(role) + " " + vocabulary_->move_name(move) + ")" + here +
                ")\n";
      }
    }
    for (std::size_t i = 0; i < node.next.size(); ++i) {
      text += "(<= (next " + nodes_[node.next[i]].name + ")" + here;
      for_each_choice(node.legal, i, [&](std::size_t role, gdl::MoveId move) {
        text += " (does " + role_name(static_cast<gdl::RoleIndex>(role)) + " " +
                vocabulary_->move_name(move) + ")";
      });
      text += ")\n";
    }
  }
  return text;
}

}  // namespace ludens::search
