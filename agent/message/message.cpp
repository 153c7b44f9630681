// SPDX-License-Identifier: MIT
#include "agent/message/message.h"

namespace ludens::agent {

Part part_of(const std::string& text) {
  auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse(text).tree);
  if (tree->size() == 0) return {};
  return {std::move(tree), 0};
}

bool hides_information(const Part& description) {
  if (description.tree == nullptr || description.node == gdl::kNoNode) return false;
  const gdl::SyntaxTree& tree = *description.tree;
  if (tree.is_atom(description.node)) return false;
  const auto begins_with = [&](gdl::NodeIndex list, std::string_view word) {
    const gdl::NodeIndex first =
        list == gdl::kNoNode || tree.is_atom(list) ? gdl::kNoNode : tree.child(list, 0);
    return first != gdl::kNoNode && tree.is_atom(first) && gdl::fold_case(tree.atom(first)) == word;
  };
  for (const gdl::NodeIndex rule : tree.children(description.node)) {
    const gdl::NodeIndex head = begins_with(rule, "<=") ? tree.child(rule, 1) : rule;
    if (begins_with(head, "sees")) return true;
  }
  return false;
}

std::string match_id_of(const Message& message) {
  return std::visit(
      [](const auto& m) -> std::string {
        if constexpr (requires { m.match_id; }) {
          return m.match_id;
        } else {
          return {};
        }
      },
      message);
}

}  // namespace ludens::agent
