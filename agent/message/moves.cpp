// SPDX-License-Identifier: MIT
#include "agent/message/moves.h"

#include <algorithm>
#include <cstdint>

namespace ludens::agent {
namespace {

bool is_joint_move(const Part& moves) {
  return moves.tree != nullptr && moves.node != gdl::kNoNode && moves.tree->is_list(moves.node) &&
         moves.tree->child_count(moves.node) > 0;
}

}  // namespace

std::string moves_text(const Part& moves, bool one_mover) {
  const bool any = one_mover ? moves.tree != nullptr : is_joint_move(moves);
  return any ? moves.tree->print(moves.node) : std::string();
}

std::vector<gdl::NodeIndex> moves_of(const Part& moves) {
  std::vector<gdl::NodeIndex> nodes;
  if (!is_joint_move(moves)) return nodes;
  for (const gdl::NodeIndex child : moves.tree->children(moves.node)) nodes.push_back(child);
  return nodes;
}

std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const gdl::SyntaxTree& tree,
                                       gdl::NodeIndex node) {
  const auto cells = gdl::ground_term(vocabulary.rules().symbols, tree, node);
  if (!cells) return std::nullopt;
  return vocabulary.move(*cells);
}

std::optional<std::vector<gdl::MoveId>> with_waiting(
    const std::vector<std::vector<gdl::MoveId>>& legal, gdl::MoveId move) {
  for (std::size_t mover = 0; mover < legal.size(); ++mover) {
    if (std::ranges::find(legal[mover], move) == legal[mover].end()) continue;
    std::vector<gdl::MoveId> joint;
    for (std::size_t role = 0; role < legal.size(); ++role) {
      if (role != mover && legal[role].size() != 1) break;
      joint.push_back(role == mover ? move : legal[role].front());
    }
    if (joint.size() == legal.size()) return joint;
  }
  return std::nullopt;
}

std::size_t move_count(const ReportedMoves& moves) {
  if (std::holds_alternative<Perceived>(moves)) return 0;
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

std::optional<gdl::MoveId> intern_move(gdl::Vocabulary& vocabulary, const ReportedTerm& term) {
  if (const auto* cells = std::get_if<std::vector<std::uint32_t>>(&term)) {
    return vocabulary.move(*cells);
  }
  const Part& part = std::get<Part>(term);
  return intern_move(vocabulary, *part.tree, part.node);
}

std::optional<gdl::PerceptId> intern_percept(gdl::Vocabulary& vocabulary,
                                             const ReportedTerm& term) {
  if (const auto* cells = std::get_if<std::vector<std::uint32_t>>(&term)) {
    return vocabulary.percept(*cells);
  }
  const Part& part = std::get<Part>(term);
  const auto cells = gdl::ground_term(vocabulary.rules().symbols, *part.tree, part.node);
  if (!cells) return std::nullopt;
  return vocabulary.percept(*cells);
}

std::string term_text(const gdl::Rules& rules, const ReportedTerm& term) {
  if (const auto* cells = std::get_if<std::vector<std::uint32_t>>(&term)) {
    return gdl::print(rules, *cells);
  }
  const Part& part = std::get<Part>(term);
  return part.tree->print(part.node);
}

}  // namespace ludens::agent
