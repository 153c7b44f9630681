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

bool same_rules(const Part& a, const Part& b) {
  if (a.tree == nullptr || b.tree == nullptr) return a.tree == b.tree;
  if (a.tree == b.tree && a.node == b.node) return true;
  const auto size = [](const Part& part) { return part.tree->end(part.node) - part.node; };
  if (size(a) != size(b)) return false;
  return gdl::fold_case(a.tree->print(a.node)) == gdl::fold_case(b.tree->print(b.node));
}

bool same_match(const Start& a, const Start& b) {
  return gdl::fold_case(a.role) == gdl::fold_case(b.role) &&
         same_rules(a.description, b.description);
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
