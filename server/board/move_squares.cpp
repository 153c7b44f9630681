// SPDX-License-Identifier: MIT
#include "server/board/move_squares.h"

#include <algorithm>

namespace ludens::server {

namespace {

using gdl::Term;

/// What one rule contains: which variables are coordinates, and which moves it names.
class RuleReader {
 public:
  RuleReader(const gdl::Rules& rules, const BoardLayout& layout, const gdl::Rule& rule)
      : rules_(rules), layout_(layout) {
    read(rule.head, rule.arguments);
    for (const gdl::Literal& literal : rule.body) {
      if (literal.kind == gdl::Literal::Kind::Positive) read(literal.relation, literal.arguments);
    }
  }
  [[nodiscard]] const std::map<Term, std::size_t>& coordinates_of_variables() const {
    return coordinates_;
  }
  [[nodiscard]] const std::vector<Term>& moves() const { return moves_; }
  /// The numbers of the placements that the rule mentions.
  [[nodiscard]] const std::vector<std::size_t>& boards() const { return boards_; }

 private:
  void read(gdl::RelationId relation, const std::vector<Term>& arguments) {
    if (relation == gdl::kNext || relation == gdl::kTrue) read_fluent(arguments[0]);
    const bool move = relation == gdl::kLegal || relation == gdl::kDoes;
    if (move && rules_.terms.kind(arguments[1]) == gdl::Terms::Kind::Compound) {
      moves_.push_back(arguments[1]);
    }
  }
  void read_fluent(Term fluent) {
    if (rules_.terms.kind(fluent) != gdl::Terms::Kind::Compound) return;
    const auto arguments = rules_.terms.arguments(fluent);
    const std::string& name = rules_.symbols.folded(rules_.terms.value(fluent));
    for (std::size_t board = 0; board < layout_.placements.size(); ++board) {
      const Placement& placement = layout_.placements[board];
      if (placement.name != name || placement.arity != arguments.size()) continue;
      if (placement.board) boards_.push_back(board);
      const auto which = coordinates_of(placement);
      for (std::size_t i = 0; i < which.size(); ++i) {
        const Term term = arguments[which[i]];
        if (rules_.terms.kind(term) == gdl::Terms::Kind::Variable) coordinates_.emplace(term, i);
      }
    }
  }

  const gdl::Rules& rules_;
  const BoardLayout& layout_;
  std::map<Term, std::size_t> coordinates_;
  std::vector<Term> moves_;
  std::vector<std::size_t> boards_;
};

/// The key with the highest value; the first of several; nullopt if there is none.
std::optional<std::size_t> most_voted(const std::map<std::size_t, int>& votes) {
  const auto most = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == votes.end()) return std::nullopt;
  return most->first;
}

/// `( f a b )` or `f`, folded.
Fact parse_move(const std::string& move) {
  auto facts = parse_state("( " + move + " )");
  return facts.empty() ? Fact{} : std::move(facts.front());
}

}  // namespace

MoveSquares::MoveSquares(const gdl::Rules& rules, const BoardLayout& layout) {
  std::map<Functor, std::vector<std::map<std::size_t, int>>> votes;
  std::map<Functor, std::map<std::size_t, int>> boards;
  for (const gdl::Rule& rule : rules.rules) {
    const RuleReader reader(rules, layout, rule);
    for (const Term move : reader.moves()) {
      const auto arguments = rules.terms.arguments(move);
      const Functor functor{rules.symbols.folded(rules.terms.value(move)), arguments.size()};
      for (const std::size_t board : reader.boards()) ++boards[functor][board];
      auto& vote = votes[functor];
      vote.resize(arguments.size());
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const auto known = reader.coordinates_of_variables().find(arguments[k]);
        if (known != reader.coordinates_of_variables().end()) ++vote[k][known->second];
      }
    }
  }
  for (const auto& [functor, vote] : votes) {
    Meaning meaning(vote.size());
    for (std::size_t k = 0; k < vote.size(); ++k) meaning[k] = most_voted(vote[k]);
    meanings_[functor] = std::move(meaning);
    boards_[functor] = most_voted(boards[functor]).value_or(0);
  }
}

const Placement& MoveSquares::board_of(const BoardLayout& layout, const Fact& move) const {
  const auto known = boards_.find({move.name, move.arguments.size()});
  return layout.placements[known != boards_.end() ? known->second : 0];
}

MoveSquares::Meaning MoveSquares::meaning_of(const BoardLayout& layout, const Fact& move) const {
  const auto known = meanings_.find({move.name, move.arguments.size()});
  // On dots, rules use a line's first end as the place of a box.
  if (!layout.links && known != meanings_.end() &&
      std::any_of(known->second.begin(), known->second.end(),
                  [](const auto& m) { return m.has_value(); })) {
    return known->second;
  }
  Meaning meaning(move.arguments.size());
  const std::size_t width = coordinates_of(layout.placements.front()).size();
  for (std::size_t first = 0; first + width <= move.arguments.size();) {
    Meaning guess(move.arguments.size());
    for (std::size_t i = 0; i < width; ++i) guess[first + i] = i;
    if (!square_at(layout, move, guess, first)) {
      ++first;
      continue;
    }
    for (std::size_t i = 0; i < width; ++i) meaning[first + i] = i;
    first += width;
  }
  return meaning;
}

std::optional<Square> MoveSquares::square_at(const BoardLayout& layout, const Fact& move,
                                             const Meaning& meaning, std::size_t first) const {
  const Placement& board = board_of(layout, move);
  const auto which = coordinates_of(board);
  if (first + which.size() > move.arguments.size()) return std::nullopt;
  std::vector<std::string> arguments(board.arity);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (meaning[first + i] != i) return std::nullopt;
    arguments[which[i]] = move.arguments[first + i];
  }
  return square_of(layout, board, arguments);
}

SquaresOfMove MoveSquares::squares(const BoardLayout& layout, const std::string& text) const {
  const Fact move = parse_move(text);
  const Meaning meaning = meaning_of(layout, move);
  const Placement& board = board_of(layout, move);
  const auto which = coordinates_of(board);
  SquaresOfMove out;
  for (std::size_t k = 0; k < meaning.size();) {
    const auto square = square_at(layout, move, meaning, k);
    if (square) out.squares.push_back(*square);
    k += square ? which.size() : 1;
  }
  if (!out.squares.empty() || which.size() != 2 || board.across.size() != 1) return out;
  const auto only = std::find_if(meaning.begin(), meaning.end(), [](auto& m) { return !!m; });
  if (only == meaning.end()) return out;
  const std::string& name = move.arguments[static_cast<std::size_t>(only - meaning.begin())];
  const bool column = which[**only] == board.across[0];
  const Geometry& g = layout.geometry;
  const auto titled = std::find(layout.layers.begin(), layout.layers.end(), board.title);
  const std::size_t layer =
      titled == layout.layers.end() ? 0 : static_cast<std::size_t>(titled - layout.layers.begin());
  for (std::size_t row = 0; row < g.rows.size(); ++row) {
    for (std::size_t c = 0; c < g.columns.size(); ++c) {
      if ((column ? g.columns[c] : g.rows[row]) == name) out.squares.push_back({row, c, layer});
    }
  }
  out.line = !out.squares.empty();
  return out;
}

bool MoveSquares::between_squares() const {
  return std::any_of(meanings_.begin(), meanings_.end(), [](const auto& entry) {
    return std::count(entry.second.begin(), entry.second.end(), std::size_t{0}) >= 2;
  });
}

}  // namespace ludens::server
