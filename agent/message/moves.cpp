// SPDX-License-Identifier: MIT
#include "agent/message/moves.h"

#include <cstdint>

namespace ludens::agent {
namespace {

bool is_joint_move(const Part& moves) {
  return moves.tree != nullptr && moves.node != gdl::kNoNode && moves.tree->is_list(moves.node) &&
         moves.tree->child_count(moves.node) > 0;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> ground_term(const gdl::Symbols& symbols,
                                                      const gdl::SyntaxTree& tree,
                                                      gdl::NodeIndex node) {
  std::vector<std::uint32_t> cells;  // a subtree is stored in preorder, as ground terms are
  for (gdl::NodeIndex n = node; n < tree.end(node); ++n) {
    const bool compound = tree.is_list(n);
    const std::size_t children = compound ? tree.child_count(n) : 0;
    if (compound && (children < 2 || tree.is_list(n + 1))) return std::nullopt;
    if (compound) ++n;  // the functor
    const auto symbol = symbols.find(tree.atom(n));
    if (!symbol) return std::nullopt;
    cells.push_back(*symbol * 2 + (compound ? 1 : 0));
    if (compound) cells.push_back(static_cast<std::uint32_t>(children - 1));
  }
  return cells;
}

std::string moves_key(const Part& moves) {
  if (!is_joint_move(moves)) return {};
  return gdl::fold_case(moves.tree->print(moves.node));
}

std::vector<gdl::NodeIndex> moves_of(const Part& moves) {
  std::vector<gdl::NodeIndex> nodes;
  if (!is_joint_move(moves)) return nodes;
  for (const gdl::NodeIndex child : moves.tree->children(moves.node)) nodes.push_back(child);
  return nodes;
}

std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const gdl::SyntaxTree& tree,
                                       gdl::NodeIndex node) {
  if (tree.is_list(node) && tree.child_count(node) == 1) node = tree.child(node, 0);
  const auto cells = ground_term(vocabulary.rules().symbols, tree, node);
  if (!cells) return std::nullopt;
  return vocabulary.move(*cells);
}

std::size_t move_count(const ReportedMoves& moves) {
  if (const auto* terms = std::get_if<GroundMoves>(&moves)) return terms->size();
  if (const auto* one = std::get_if<OneMove>(&moves)) return one->move.tree == nullptr ? 0 : 1;
  return moves_of(std::get<Part>(moves)).size();
}

std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedMoves& moves,
                                       std::size_t index) {
  if (const auto* terms = std::get_if<GroundMoves>(&moves)) return vocabulary.move((*terms)[index]);
  if (const auto* one = std::get_if<OneMove>(&moves)) {
    return intern_move(vocabulary, *one->move.tree, one->move.node);
  }
  const Part& part = std::get<Part>(moves);
  return intern_move(vocabulary, *part.tree, part.tree->child(part.node, index));
}

std::string move_text(const gdl::Rules& rules, const ReportedMoves& moves, std::size_t index) {
  if (const auto* terms = std::get_if<GroundMoves>(&moves)) {
    return gdl::print(rules, (*terms)[index]);
  }
  if (const auto* one = std::get_if<OneMove>(&moves)) return one->move.tree->print(one->move.node);
  const Part& part = std::get<Part>(moves);
  return part.tree->print(part.tree->child(part.node, index));
}

}  // namespace ludens::agent
