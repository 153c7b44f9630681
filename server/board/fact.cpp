// SPDX-License-Identifier: MIT
#include "server/board/fact.h"

#include <set>
#include <utility>

#include "gdl/text/syntax.h"

namespace ludens::server {

std::vector<Fact> parse_state(const std::string& state) {
  const gdl::ParsedText parsed = gdl::parse(state);
  const gdl::SyntaxTree& tree = parsed.tree;
  std::vector<Fact> facts;
  for (const gdl::NodeIndex list : tree.forms()) {
    if (tree.is_atom(list)) continue;
    for (const gdl::NodeIndex fluent : tree.children(list)) {
      Fact fact;
      if (tree.is_atom(fluent)) {
        fact.name = gdl::fold_case(tree.atom(fluent));
      } else {
        for (const gdl::NodeIndex part : tree.children(fluent)) {
          std::string text = gdl::fold_case(tree.print(part));
          if (part == fluent + 1) {
            fact.name = std::move(text);
          } else {
            fact.arguments.push_back(std::move(text));
          }
        }
      }
      facts.push_back(std::move(fact));
    }
  }
  return facts;
}

bool is_of(const Fact& fact, const FluentShape& shape) {
  return fact.name == shape.name && fact.arguments.size() == shape.arguments.size();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool distinct(const std::vector<Fact>& facts, const FluentShape& shape,
              const std::vector<std::size_t>& arguments) {
  std::set<std::vector<std::string>> seen;
  for (const Fact& fact : facts) {
    if (!is_of(fact, shape)) continue;
    std::vector<std::string> key;
    key.reserve(arguments.size());
    for (const std::size_t k : arguments) key.push_back(fact.arguments[k]);
    if (!seen.insert(std::move(key)).second) return false;
  }
  return true;
}

}  // namespace ludens::server
