// SPDX-License-Identifier: MIT
#include "server/match/told_game.h"

#include <utility>

namespace ludens::server {

namespace {

/// For each symbol of `from`: the symbol of `to` whose name `rename` returns. A symbol without one
/// maps to itself, for instance a keyword, which is never part of a move.
template <class Rename>
std::vector<gdl::SymbolId> symbol_map(const gdl::Symbols& from, const gdl::Symbols& to,
                                      const Rename& rename) {
  std::vector<gdl::SymbolId> map;
  for (gdl::SymbolId symbol = 0; symbol < from.size(); ++symbol) {
    map.push_back(to.find(rename(from.spelling(symbol))).value_or(symbol));
  }
  return map;
}

/// A ground term with other symbols. The cell after a functor is its number of arguments.
std::vector<std::uint32_t> renamed(gdl::GroundTerm term, const std::vector<gdl::SymbolId>& map) {
  std::vector<std::uint32_t> cells(term.begin(), term.end());
  if (map.empty()) return cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint32_t compound = cells[i] % 2;
    cells[i] = map[cells[i] / 2] * 2 + compound;
    i += compound;
  }
  return cells;
}

}  // namespace

ToldGame::ToldGame(std::shared_ptr<const gdl::Rules> rules) : own_(std::move(rules)), told_(own_) {}

ToldGame::ToldGame(std::shared_ptr<const gdl::Rules> rules, Scrambler scrambler)
    : own_(std::move(rules)), scrambler_(std::move(scrambler)) {
  auto tree = gdl::parse(description()).tree;
  told_ = gdl::normalise(std::make_shared<const gdl::SyntaxTree>(std::move(tree)), 0).rules;
  there_ = symbol_map(own_->symbols, told_->symbols,
                      [this](const std::string& name) { return scrambler_.scramble(name); });
  back_ = symbol_map(told_->symbols, own_->symbols,
                     [this](const std::string& name) { return scrambler_.unscramble(name); });
}

const std::string& ToldGame::description() const {
  std::call_once(described_,
                 [this] { description_ = scrambler_.scramble(start_description(*own_->source)); });
  return description_;
}

std::string ToldGame::role(gdl::RoleIndex role) const {
  return scrambler_.scramble(own_->print(own_->roles[role]));
}

ToldMove ToldGame::tell(const gdl::Vocabulary& names, gdl::MoveId move) const {
  return {scrambler_.scramble(names.move_name(move)), renamed(names.move_term(move), there_)};
}

std::vector<std::uint32_t> ToldGame::hear(gdl::GroundTerm term) const {
  return renamed(term, back_);
}

ToldMove ToldGame::tell_percept(const gdl::Vocabulary& names, gdl::PerceptId percept) const {
  return find_term(scrambler_.scramble(names.percept_name(percept))).value_or(ToldMove{});
}

std::optional<ToldMove> ToldGame::find_term(std::string_view text) const {
  const gdl::SyntaxTree tree = gdl::parse(std::string(text)).tree;
  if (tree.size() == 0) return std::nullopt;
  auto term = gdl::ground_term(told_->symbols, tree, 0);
  if (!term) return std::nullopt;
  std::string spelled = gdl::print(*told_, *term);
  return ToldMove{std::move(spelled), std::move(*term)};
}

std::string start_description(const gdl::SyntaxTree& rulesheet) {
  std::string text = "(";
  for (const gdl::NodeIndex form : rulesheet.forms()) text += " " + rulesheet.print(form);
  return text + " )";
}

}  // namespace ludens::server
