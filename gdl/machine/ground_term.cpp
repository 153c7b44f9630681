// SPDX-License-Identifier: MIT
#include "gdl/machine/ground_term.h"

#include <cstddef>

namespace ludens::gdl {

namespace {

/// Where the term at a cell ends.
std::size_t end_of(GroundTerm term, std::size_t at) {
  std::size_t left = 1;
  for (; left > 0; --left) {
    const bool compound = (term[at] & 1) != 0;
    ++at;
    if (compound) left += term[at++];
  }
  return at;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> ground_term(const Symbols& symbols,
                                                      const SyntaxTree& tree, NodeIndex node) {
  std::vector<std::uint32_t> cells;  // a subtree is stored in preorder, like ground terms
  for (NodeIndex n = node; n < tree.end(node); ++n) {
    std::size_t arguments = 0;
    if (tree.is_list(n)) {
      arguments = tree.child_count(n);
      if (arguments == 0 || tree.is_list(n + 1)) return std::nullopt;
      --arguments;
      ++n;  // the name
    }
    const auto symbol = symbols.find(tree.atom(n));
    if (!symbol) return std::nullopt;
    cells.push_back(*symbol * 2 + (arguments > 0 ? 1 : 0));
    if (arguments > 0) cells.push_back(static_cast<std::uint32_t>(arguments));
  }
  return cells;
}

std::vector<GroundTerm> arguments_of(GroundTerm term) {
  std::vector<GroundTerm> arguments;
  if ((term[0] & 1) == 0) return arguments;
  for (std::size_t at = 2; at < term.size();) {
    const std::size_t end = end_of(term, at);
    arguments.push_back(term.subspan(at, end - at));
    at = end;
  }
  return arguments;
}

}  // namespace ludens::gdl
