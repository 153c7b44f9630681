// SPDX-License-Identifier: MIT
// Lays out a board whose squares have coordinates.
#include "server/board/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "server/board/neighbours.h"

namespace ludens::server {

namespace {

/// A fluent with more values than this describes a square; it is not a thing that lies there.
constexpr std::size_t kMaxOverlayKinds = 8;

/// If there are more layers than this, only those with something on them are shown.
constexpr std::size_t kMaxLayers = 16;

using Names = std::vector<std::string>;

/// How uniform the lines of squares that agree in argument `fixed` are: armies stand in rows.
double purity(const std::vector<Fact>& initial, const GridAxes& axes, std::size_t fixed) {
  std::map<std::string, std::map<std::string, int>> lines;
  for (const Fact& fact : initial) {
    if (!is_of(fact, *axes.shape)) continue;
    std::string content;
    for (std::size_t k = 0; k < fact.arguments.size(); ++k) {
      if (k != axes.i && k != axes.j) content += fact.arguments[k] + " ";
    }
    ++lines[fact.arguments[fixed]][content];
  }
  int most = 0, all = 0;
  for (const auto& [line, contents] : lines) {
    int largest = 0;
    for (const auto& [content, count] : contents) {
      largest = std::max(largest, count);
      all += count;
    }
    most += largest;
  }
  return all == 0 ? 0 : static_cast<double>(most) / all;
}

/// How often rules call the first coordinate a row or the second one a column, less how often the
/// other way round: a relation with such a name has one of the two variables that a fluent of the
/// board in the same rule has there, `(<= (row ?m ?x) (true (cell ?m 1 ?x)) ...)`.
class RowsByName {
 public:
  RowsByName(const gdl::Rules& rules, const GridAxes& axes) : rules_(rules), axes_(axes) {}

  [[nodiscard]] int count() const {
    int count = 0;
    for (const gdl::Rule& rule : rules_.rules) {
      std::set<gdl::Term> first, second;  // variables
      read_squares(rule.head, rule.arguments, first, second);
      for (const gdl::Literal& literal : rule.body) {
        read_squares(literal.relation, literal.arguments, first, second);
      }
      if (first.empty() && second.empty()) continue;
      count += votes(rule.head, rule.arguments, first, second);
      for (const gdl::Literal& literal : rule.body) {
        if (literal.kind != gdl::Literal::Kind::Positive) continue;
        count += votes(literal.relation, literal.arguments, first, second);
      }
    }
    return count;
  }

 private:
  using Terms = std::vector<gdl::Term>;

  void read_squares(gdl::RelationId relation, const Terms& arguments, std::set<gdl::Term>& first,
                    std::set<gdl::Term>& second) const {
    const bool fluent = relation == gdl::kTrue || relation == gdl::kNext ||
                        relation == gdl::kInit || relation == gdl::kBase;
    if (!fluent || rules_.terms.kind(arguments[0]) != gdl::Terms::Kind::Compound) return;
    const auto parts = rules_.terms.arguments(arguments[0]);
    if (parts.size() != axes_.shape->arguments.size() ||
        rules_.symbols.folded(rules_.terms.value(arguments[0])) != axes_.shape->name) {
      return;
    }
    if (rules_.terms.kind(parts[axes_.i]) == gdl::Terms::Kind::Variable)
      first.insert(parts[axes_.i]);
    if (rules_.terms.kind(parts[axes_.j]) == gdl::Terms::Kind::Variable)
      second.insert(parts[axes_.j]);
  }

  [[nodiscard]] int votes(gdl::RelationId relation, const Terms& arguments,
                          const std::set<gdl::Term>& first,
                          const std::set<gdl::Term>& second) const {
    if (relation < gdl::kKeywordCount) return 0;
    const std::string name = gdl::fold_case(rules_.name(relation));
    const bool row = name == "row" || name == "rank";
    if (!row && name != "col" && name != "column" && name != "file") return 0;
    const auto has = [&](const std::set<gdl::Term>& variables) {
      return std::any_of(arguments.begin(), arguments.end(),
                         [&](gdl::Term t) { return variables.contains(t); });
    };
    const bool of_first = has(first), of_second = has(second);
    return of_first == of_second ? 0 : row == of_first ? 1 : -1;
  }

  const gdl::Rules& rules_;
  const GridAxes& axes_;
};

/// Is the first argument the column, as on a chess board (rows then count from the bottom), or the
/// row, as in a matrix (from the top)? Letters are columns; armies stand in rows; the rules may say
/// `row`; boards are wider than high; without any evidence the column comes first.
bool first_is_column(const gdl::Rules& rules, const GridAxes& axes,
                     const std::vector<Fact>& initial) {
  if (gdl::are_letters(axes.i_order) != gdl::are_letters(axes.j_order))
    return gdl::are_letters(axes.i_order);
  const double by_i = purity(initial, axes, axes.i), by_j = purity(initial, axes, axes.j);
  if (by_j > by_i * 1.2) return true;
  if (by_i > by_j * 1.2) return false;
  if (const int rows = RowsByName(rules, axes).count(); rows != 0) return rows < 0;
  return axes.i_order.size() >= axes.j_order.size();
}

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds_all(const Names& names, const Names& others) {
  const std::set<std::string> known(names.begin(), names.end());
  return std::all_of(others.begin(), others.end(),
                     [&](const std::string& name) { return known.contains(name); });
}

/// Whether a move names this argument: some rule has one variable in both places.
bool named_by_moves(const gdl::Rules& rules, const FluentShape& shape, std::size_t argument) {
  for (const gdl::Rule& rule : rules.rules) {
    std::set<gdl::Term> in_moves, in_fluents;
    const auto read = [&](gdl::RelationId relation, const std::vector<gdl::Term>& arguments) {
      const bool move = relation == gdl::kLegal || relation == gdl::kDoes;
      const bool fluent = relation == gdl::kNext || relation == gdl::kTrue;
      if (!move && !fluent) return;
      const gdl::Term term = arguments[move ? 1 : 0];
      if (rules.terms.kind(term) != gdl::Terms::Kind::Compound) return;
      const auto parts = rules.terms.arguments(term);
      if (move) in_moves.insert(parts.begin(), parts.end());
      if (!fluent || parts.size() != shape.arguments.size()) return;
      if (rules.symbols.folded(rules.terms.value(term)) != shape.name) return;
      if (rules.terms.kind(parts[argument]) == gdl::Terms::Kind::Variable) {
        in_fluents.insert(parts[argument]);
      }
    };
    read(rule.head, rule.arguments);
    for (const gdl::Literal& literal : rule.body) {
      if (literal.kind == gdl::Literal::Kind::Positive) read(literal.relation, literal.arguments);
    }
    if (std::any_of(in_fluents.begin(), in_fluents.end(),
                    [&](gdl::Term t) { return in_moves.contains(t); })) {
      return true;
    }
  }
  return false;
}

/// Whether every true fact of the shape stays true, and none is ever added.
bool is_constant(const gdl::Rules& rules, const FluentShape& shape) {
  bool stays = false;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head != gdl::kNext) continue;
    const gdl::Term fluent = rule.arguments[0];
    if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound ||
        rules.terms.arguments(fluent).size() != shape.arguments.size() ||
        rules.symbols.folded(rules.terms.value(fluent)) != shape.name) {
      continue;
    }
    if (rule.body.size() != 1 || rule.body[0].kind != gdl::Literal::Kind::Positive ||
        rule.body[0].relation != gdl::kTrue || rule.body[0].arguments[0] != fluent) {
      return false;
    }
    stays = true;
  }
  return stays;
}

/// Whether an ordered argument outside the pair is a third coordinate. It is if it is needed to
/// distinguish squares. If no fact is true initially, it is if it comes before the pair or has no
/// more values, and another argument is left for the content. If all things are on one layer
/// initially, it is only if moves name it, too.
bool is_layer(const gdl::Rules& rules, const GridAxes& axes, std::size_t k, const Names& order,
              const std::vector<Fact>& initial, const std::vector<std::size_t>& key, bool rest) {
  if (axes.known && !distinct(initial, *axes.shape, key)) return true;
  const std::size_t longest = std::max(axes.i_order.size(), axes.j_order.size());
  if (!axes.known) return rest && (k < axes.i || order.size() <= longest);
  const bool alike = holds_all(order, axes.i_order);
  std::set<std::string> seen;
  for (const Fact& fact : initial) {
    if (is_of(fact, *axes.shape)) seen.insert(fact.arguments[k]);
  }
  return rest && alike && seen.size() == 1 && named_by_moves(rules, *axes.shape, k);
}

/// Decides what the arguments outside the pair are: layers or content.
void sort_out_rest(const gdl::Rules& rules, const GridAxes& axes, const gdl::Orders& orders,
                   const std::vector<Fact>& initial, Placement& placement) {
  std::vector<std::size_t> ordered, others, key{axes.i, axes.j};
  for (std::size_t k = 0; k < axes.shape->arguments.size(); ++k) {
    if (k == axes.i || k == axes.j) continue;
    const bool coordinate = coordinates(*axes.shape, k, orders, initial).has_value();
    (coordinate ? ordered : others).push_back(k);
  }
  for (const std::size_t k : ordered) {
    const Names order = coordinates(*axes.shape, k, orders, initial).value_or(Names{});
    const bool layer = is_layer(rules, axes, k, order, initial, key, !others.empty());
    (layer ? placement.layers : placement.content).push_back(k);
    key.push_back(k);
  }
  if (axes.known && !distinct(initial, *axes.shape, key)) {
    if (const auto side = naming_layers(*axes.shape, key, initial)) {
      placement.layers.push_back(*side);
      std::erase(others, *side);
    }
  }
  placement.content.insert(placement.content.end(), others.begin(), others.end());
  std::sort(placement.content.begin(), placement.content.end());
}

/// `1.1 1.2 1.3 2.1 ...`: the coordinates of a board of boards along one axis.
Names product(const Names& outer, const Names& inner) {
  Names names;
  for (const std::string& o : outer) {
    for (const std::string& i : inner) names.push_back(std::string(o).append(".").append(i));
  }
  return names;
}

/// Do rules consider squares that agree in the second and fourth of four coordinates, or in the
/// first and third, regardless of the others? Then these two name a block: rows and columns are
/// named by the first two and the last two (`(cell ?i 1 ?k 2 ?x)` in a rule on blocks).
bool blocks_alternate(const gdl::Rules& rules, const FluentShape& shape,
                      const std::vector<std::size_t>& coordinates) {
  for (const gdl::Rule& rule : rules.rules) {
    for (const gdl::Literal& literal : rule.body) {
      if (literal.kind != gdl::Literal::Kind::Positive || literal.relation != gdl::kTrue) continue;
      const gdl::Term fluent = literal.arguments[0];
      if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound) continue;
      const auto arguments = rules.terms.arguments(fluent);
      if (arguments.size() != shape.arguments.size() ||
          rules.symbols.folded(rules.terms.value(fluent)) != shape.name) {
        continue;
      }
      std::vector<bool> open;
      open.reserve(coordinates.size());
      for (const std::size_t k : coordinates) {
        open.push_back(rules.terms.kind(arguments[k]) == gdl::Terms::Kind::Variable);
      }
      if (open == std::vector<bool>{true, false, true, false}) return true;
    }
  }
  return false;
}

/// A board whose layers have two coordinates, with as many values as those within a layer, is one
/// board of boards. If the rules do not decide it, the first two coordinates are those of the outer
/// board.
void join_blocks(const gdl::Rules& rules, const GridAxes& axes, const gdl::Orders& orders,
                 const std::vector<Fact>& initial, BoardLayout& layout) {
  Placement& placement = layout.placements.front();
  if (placement.layers.size() != 2) return;
  std::vector<std::size_t> q{axes.i, axes.j, placement.layers[0], placement.layers[1]};
  std::sort(q.begin(), q.end());
  std::vector<Names> order;
  for (const std::size_t k : q) {
    order.push_back(coordinates(*axes.shape, k, orders, initial).value_or(Names{}));
    if (order.back().size() != order.front().size()) return;
  }
  const bool column_first = placement.across.front() == axes.i;
  if (blocks_alternate(rules, *axes.shape, q)) {
    std::swap(q[1], q[2]);
    std::swap(order[1], order[2]);
  }
  placement.across = {q[0], q[2]};
  placement.up_or_down = {q[1], q[3]};
  layout.geometry.columns = product(order[0], order[2]);
  layout.geometry.rows = product(order[1], order[3]);
  if (column_first) {
    std::reverse(layout.geometry.rows.begin(), layout.geometry.rows.end());
  } else {
    std::swap(placement.across, placement.up_or_down);
    std::swap(layout.geometry.columns, layout.geometry.rows);
  }
  layout.geometry.block = order.front().size();
  placement.layers.clear();
}

/// The titles of all layers, none if there are too many; the first coordinate changes slowest.
Names layer_titles(const GridAxes& axes, const gdl::Orders& orders,
                   const std::vector<Fact>& initial, const Placement& placement) {
  Names titles;
  for (const std::size_t k : placement.layers) {
    const Names order =
        coordinates(*axes.shape, k, orders, initial).value_or(axes.shape->arguments[k]);
    Names longer;
    for (const std::string& title : titles.empty() ? Names{""} : titles) {
      for (const std::string& name : order) {
        longer.push_back(std::string(title).append(title.empty() ? "" : " ").append(name));
      }
    }
    if (longer.size() > kMaxLayers) return {};
    titles = std::move(longer);
  }
  return titles;
}

/// Neighbouring rows of hexagons are shifted by half a square.
void find_hexagons(const gdl::Rules& rules, const GridAxes& axes, bool column_first,
                   BoardLayout& layout) {
  const auto slant = hexagon_slant(rules, axes.i_order, axes.j_order);
  if (!slant) return;
  layout.geometry.hexagons = true;
  // Rows that count from the bottom (the column came first) lean the other way.
  const bool leans_right = column_first ? *slant > 0 : *slant < 0;
  const int last = static_cast<int>(layout.geometry.rows.size()) - 1;
  for (int row = 0; row <= last; ++row)
    layout.geometry.shift.push_back(leans_right ? row : last - row);
}

bool same_set(Names a, Names b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

bool are_nested(const Names& a, const Names& b) {
  return !a.empty() && !b.empty() && (holds_all(a, b) || holds_all(b, a));
}

/// `cell` and `cell_suicide`, `cell1` and `cell2`, `cell_left` and `cell_right`.
bool alike(const std::string& a, const std::string& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const std::string start(a.begin(), in_a);
  const auto is_number = [](auto from, auto to) {
    return std::all_of(from, to, [](char c) { return c >= '0' && c <= '9'; });
  };
  const bool whole = in_a == a.end() || in_b == b.end() || start.ends_with('_');
  return start.size() >= 3 && (whole || (is_number(in_a, a.end()) && is_number(in_b, b.end())));
}

/// A fluent that is like the board in everything but a part of its name is a second board.
bool is_second_board(const FluentShape& shape, const Placement& placement, const GridAxes& main,
                     const Placement& board) {
  return shape.arguments.size() == main.shape->arguments.size() && board.layers.empty() &&
         placement.across == board.across && placement.content == board.content &&
         placement.content.size() == 1 && alike(shape.name, main.shape->name) &&
         are_nested(shape.arguments[placement.content[0]], main.shape->arguments[board.content[0]]);
}

/// Whether these are coordinates of the board. The flow of constants may allow more values,
/// provided that all initial facts lie on the board.
bool is_coordinate(const FluentShape& shape, std::size_t argument, const Names& order,
                   const std::vector<Fact>& initial) {
  const Names& allowed = shape.arguments[argument];
  if (same_set(allowed, order)) return true;
  if (!holds_all(allowed, order)) return false;
  bool known = false;
  for (const Fact& fact : initial) {
    if (!is_of(fact, shape)) continue;
    if (!holds(order, fact.arguments[argument])) return false;
    known = true;
  }
  return known;
}

/// Finds the two coordinates of the board among the arguments of another fluent, adjacent to each
/// other. Nullopt if they are not there, or if many things can lie on a square: then they are
/// values of it.
std::optional<Placement> overlay(const FluentShape& shape, const GridAxes& main,
                                 const Placement& board, const std::vector<Fact>& initial) {
  const std::size_t arity = shape.arguments.size();
  if (&shape == main.shape || arity < 2 || arity > 4) return std::nullopt;
  for (std::size_t i = 0; i + 1 < arity; ++i) {
    if (!is_coordinate(shape, i, main.i_order, initial)) continue;
    if (!is_coordinate(shape, i + 1, main.j_order, initial)) continue;
    Placement placement{shape.name, arity, {i}, {i + 1}, {}, {}};
    if (board.across[0] != main.i) std::swap(placement.across, placement.up_or_down);
    std::size_t kinds = 1;
    for (std::size_t k = 0; k < arity; ++k) {
      if (k == i || k == i + 1) continue;
      placement.content.push_back(k);
      kinds *= shape.arguments[k].size();
    }
    if (kinds <= kMaxOverlayKinds) return placement;
  }
  return std::nullopt;
}

/// Fluents with the same two coordinates lie on the same board, or are another board.
void add_overlays(BoardLayout& layout, const std::vector<FluentShape>& shapes, const GridAxes& main,
                  const std::vector<Fact>& initial) {
  if (layout.placements.front().across.size() > 1) return;
  for (const FluentShape& shape : shapes) {
    Placement& board = layout.placements.front();
    auto placement = overlay(shape, main, board, initial);
    if (!placement) continue;
    if (is_second_board(shape, *placement, main, board)) {
      if (layout.layers.empty()) layout.layers = {board.title = board.name};
      placement->board = true;
      layout.layers.push_back(placement->title = placement->name);
    }
    layout.placements.push_back(std::move(*placement));
  }
}

}  // namespace

BoardLayout lay_out_grid(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                         const std::vector<Fact>& initial, const gdl::Orders& orders,
                         const GridAxes& axes) {
  BoardLayout layout;
  layout.complete = axes.complete;
  layout.constant = is_constant(rules, *axes.shape);
  layout.mostly = axes.mostly;
  Placement placement;
  placement.name = axes.shape->name;
  placement.arity = axes.shape->arguments.size();
  placement.board = true;
  const bool column_first = first_is_column(rules, axes, initial);
  placement.across = {column_first ? axes.i : axes.j};
  placement.up_or_down = {column_first ? axes.j : axes.i};
  layout.geometry.columns = column_first ? axes.i_order : axes.j_order;
  layout.geometry.rows = column_first ? axes.j_order : axes.i_order;
  if (column_first) std::reverse(layout.geometry.rows.begin(), layout.geometry.rows.end());
  sort_out_rest(rules, axes, orders, initial, placement);
  layout.placements.push_back(std::move(placement));
  join_blocks(rules, axes, orders, initial, layout);
  layout.layers = layer_titles(axes, orders, initial, layout.placements.front());
  if (layout.geometry.block == 0) find_hexagons(rules, axes, column_first, layout);
  add_overlays(layout, shapes, axes, initial);
  return layout;
}

}  // namespace ludens::server
