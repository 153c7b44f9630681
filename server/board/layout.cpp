#include "server/board/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gdl/text/syntax.h"
#include "server/board/named_squares.h"
#include "server/board/neighbours.h"
#include "server/board/order.h"

namespace ludens::server {

namespace {

/// A fluent with more values than that says something of a square, it is no thing that lies there.
constexpr std::size_t kMaxOverlayKinds = 8;

/// More layers than that are shown only as something lies on them.
constexpr std::size_t kMaxLayers = 16;

using Names = std::vector<std::string>;

bool is_of(const Fact& fact, const FluentShape& shape) {
  return fact.name == shape.name && fact.arguments.size() == shape.arguments.size();
}

/// A pair of arguments that may be coordinates.
struct Candidate {
  const FluentShape* shape = nullptr;
  std::size_t i = 0, j = 0;
  Names i_order, j_order;
  bool single = false;    // a square holds at most one fact, initially
  bool complete = false;  // every square holds a fact, initially
  bool mostly = false;    // half of them or more do
  double score = 0;
};

/// `(heap a 5)`: a value for each of some names, not a square.
bool is_table(const std::vector<Fact>& initial, const Candidate& c) {
  if (c.shape->arguments.size() != 2) return false;
  std::set<std::string> keys;
  std::size_t facts = 0;
  for (const Fact& fact : initial) {
    if (!is_of(fact, *c.shape)) continue;
    ++facts;
    keys.insert(fact.arguments[0]);
  }
  return keys.size() == facts && facts == c.i_order.size();
}

void rate(Candidate& c, const std::vector<Fact>& initial) {
  std::set<std::pair<std::string, std::string>> squares;
  std::size_t facts = 0;
  for (const Fact& fact : initial) {
    if (!is_of(fact, *c.shape)) continue;
    ++facts;
    squares.emplace(fact.arguments[c.i], fact.arguments[c.j]);
  }
  const std::size_t size = c.i_order.size() * c.j_order.size();
  c.single = squares.size() == facts;
  c.complete = squares.size() == size;
  c.mostly = 2 * squares.size() >= size;
  const auto [low, high] = std::minmax({c.i_order.size(), c.j_order.size()});
  const double squareness = static_cast<double>(low) / static_cast<double>(high);
  c.score = static_cast<double>(size) * squareness * squareness * (c.single ? 1 : 0.1) *
            (c.complete ? 4 : 1);
  if (c.shape->arguments.size() == 2) c.score *= is_table(initial, c) ? 0 : 0.5;
  if (size < 4) c.score = 0;
}

/// The constants of an argument in order, if they have one: those that the rules allow, else, where
/// these are too many, those that are there initially.
std::optional<Names> coordinates(const FluentShape& shape, std::size_t argument,
                                 const Orders& orders, const std::vector<Fact>& initial) {
  if (shape.may_be_compound[argument]) return std::nullopt;
  if (auto order = orders.order(shape.arguments[argument])) return order;
  std::set<std::string> seen;
  for (const Fact& fact : initial) {
    if (is_of(fact, shape)) seen.insert(fact.arguments[argument]);
  }
  return orders.order({seen.begin(), seen.end()});
}

std::optional<Candidate> best_candidate(const std::vector<FluentShape>& shapes,
                                        const Orders& orders, const std::vector<Fact>& initial) {
  Candidate best;
  for (const FluentShape& shape : shapes) {
    std::vector<std::optional<Names>> order;
    for (std::size_t i = 0; i < shape.arguments.size(); ++i) {
      order.push_back(coordinates(shape, i, orders, initial));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (!order[i] || !order[j]) continue;
        Candidate c{&shape, i, j, *order[i], *order[j]};
        rate(c, initial);
        if (c.score > best.score) best = std::move(c);
      }
    }
  }
  if (best.shape == nullptr) return std::nullopt;
  return best;
}

/// How much the lines of squares that agree in argument `fixed` hold one thing each: armies stand
/// in rows.
double purity(const std::vector<Fact>& initial, const Candidate& c, std::size_t fixed) {
  std::map<std::string, std::map<std::string, int>> lines;
  for (const Fact& fact : initial) {
    if (!is_of(fact, *c.shape)) continue;
    std::string content;
    for (std::size_t k = 0; k < fact.arguments.size(); ++k) {
      if (k != c.i && k != c.j) content += fact.arguments[k] + " ";
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

/// Is the first argument the column, as on a chess board (rows then count from the bottom), or the
/// row, as in a matrix (from the top)? Letters are columns; armies stand in rows; boards are wider
/// than high; where nothing tells, a column comes first.
bool first_is_column(const Candidate& c, const std::vector<Fact>& initial) {
  if (are_letters(c.i_order) != are_letters(c.j_order)) return are_letters(c.i_order);
  const double by_i = purity(initial, c, c.i), by_j = purity(initial, c, c.j);
  if (by_j > by_i * 1.2) return true;
  if (by_i > by_j * 1.2) return false;
  return c.i_order.size() >= c.j_order.size();
}

/// Do these arguments tell all facts apart?
bool distinct(const std::vector<Fact>& initial, const FluentShape& shape,
              const std::vector<std::size_t>& arguments) {
  std::set<Names> seen;
  for (const Fact& fact : initial) {
    if (!is_of(fact, shape)) continue;
    Names key;
    for (const std::size_t k : arguments) key.push_back(fact.arguments[k]);
    if (!seen.insert(std::move(key)).second) return false;
  }
  return true;
}

/// Ordered arguments beside the pair are layers as far as they are needed to tell squares apart, or
/// if nothing is known of that and something else is left to be the content.
void sort_out_rest(const Candidate& c, const Orders& orders, const std::vector<Fact>& initial,
                   Placement& placement) {
  std::vector<std::size_t> ordered, others, key{c.i, c.j};
  for (std::size_t k = 0; k < c.shape->arguments.size(); ++k) {
    if (k == c.i || k == c.j) continue;
    const bool coordinate = coordinates(*c.shape, k, orders, initial).has_value();
    (coordinate ? ordered : others).push_back(k);
  }
  const bool known = std::any_of(initial.begin(), initial.end(),
                                 [&](const Fact& fact) { return is_of(fact, *c.shape); });
  for (const std::size_t k : ordered) {
    const bool needed = known ? !distinct(initial, *c.shape, key) : !others.empty();
    (needed ? placement.layers : placement.content).push_back(k);
    key.push_back(k);
  }
  placement.content.insert(placement.content.end(), others.begin(), others.end());
  std::sort(placement.content.begin(), placement.content.end());
}

/// `1.1 1.2 1.3 2.1 ...`: the coordinates of a board of boards along one axis.
Names product(const Names& outer, const Names& inner) {
  Names names;
  for (const std::string& o : outer) {
    for (const std::string& i : inner) names.push_back(o + "." + i);
  }
  return names;
}

/// Do rules look at squares that agree in the second and fourth of four coordinates, or in the
/// first and third, whatever the others are? Then these two name a block: rows and columns are
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
      for (const std::size_t k : coordinates) {
        open.push_back(rules.terms.kind(arguments[k]) == gdl::Terms::Kind::Variable);
      }
      if (open == std::vector<bool>{true, false, true, false}) return true;
    }
  }
  return false;
}

/// A board whose layers have two coordinates, which are as many as those of a layer, is one board
/// of boards. Where rules do not tell, the first two coordinates are those of the outer one.
void join_blocks(const gdl::Rules& rules, const Candidate& c, const Orders& orders,
                 const std::vector<Fact>& initial, BoardLayout& layout) {
  Placement& placement = layout.placements.front();
  if (placement.layers.size() != 2) return;
  std::vector<std::size_t> q{c.i, c.j, placement.layers[0], placement.layers[1]};
  std::sort(q.begin(), q.end());
  std::vector<Names> order;
  for (const std::size_t k : q) {
    order.push_back(coordinates(*c.shape, k, orders, initial).value_or(Names{}));
    if (order.back().size() != order.front().size()) return;
  }
  const bool column_first = placement.across.front() == c.i;
  if (blocks_alternate(rules, *c.shape, q)) {
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

/// Titles of all layers, the first coordinate outermost.
Names layer_titles(const Candidate& c, const Orders& orders, const std::vector<Fact>& initial,
                   const Placement& placement) {
  Names titles;
  for (const std::size_t k : placement.layers) {
    const Names order = coordinates(*c.shape, k, orders, initial).value_or(Names{});
    Names longer;
    for (const std::string& title : titles.empty() ? Names{""} : titles) {
      for (const std::string& name : order) {
        longer.push_back(title + (title.empty() ? "" : " ") + name);
      }
    }
    titles = std::move(longer);
  }
  if (titles.size() > kMaxLayers) titles.clear();
  return titles;
}

/// Rows of hexagons lie half a square beside one another.
void find_hexagons(const gdl::Rules& rules, const Candidate& c, bool column_first,
                   BoardLayout& layout) {
  const auto slant = hexagon_slant(rules, c.i_order, c.j_order);
  if (!slant) return;
  layout.geometry.hexagons = true;
  // Rows that count from the bottom (the column came first) lean the other way than their order.
  const bool leans_right = column_first ? *slant > 0 : *slant < 0;
  const int last = static_cast<int>(layout.geometry.rows.size()) - 1;
  for (int row = 0; row <= last; ++row)
    layout.geometry.shift.push_back(leans_right ? row : last - row);
}

/// Fluents with the same two coordinates and at most one argument more lie on the same board.
void add_overlays(BoardLayout& layout, const std::vector<FluentShape>& shapes,
                  const Candidate& main) {
  const auto same = [](Names a, Names b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  const Placement& board = layout.placements.front();
  if (board.across.size() > 1) return;
  const bool column_first = board.across[0] == main.i;
  for (const FluentShape& shape : shapes) {
    const std::size_t arity = shape.arguments.size();
    if (&shape == main.shape || arity < 2 || arity > 3) continue;
    for (std::size_t i = 0; i + 1 < arity; ++i) {
      if (!same(shape.arguments[i], main.i_order)) continue;
      if (!same(shape.arguments[i + 1], main.j_order)) continue;
      if (arity == 3 && shape.arguments[i == 0 ? 2 : 0].size() > kMaxOverlayKinds) continue;
      Placement placement{shape.name, arity, {i}, {i + 1}, {}, {}};
      if (!column_first) std::swap(placement.across, placement.up_or_down);
      if (arity == 3) placement.content.push_back(i == 0 ? 2 : 0);
      layout.placements.push_back(std::move(placement));
      break;
    }
  }
}

/// Squares with names of their own: of the arguments whose constants are such names, the one with
/// most of them.
std::optional<BoardLayout> named_layout(const gdl::Rules& rules,
                                        const std::vector<FluentShape>& shapes,
                                        const Orders& orders, const std::vector<Fact>& initial) {
  BoardLayout layout;
  for (const FluentShape& shape : shapes) {
    for (std::size_t k = 0; k < shape.arguments.size(); ++k) {
      if (shape.may_be_compound[k]) continue;
      auto named = place_names(shape.arguments[k], rules, orders);
      if (!named || named->places.size() <= layout.named.size()) continue;
      Placement placement{shape.name, shape.arguments.size(), {k}, {k}, {}, {}};
      for (std::size_t other = 0; other < shape.arguments.size(); ++other) {
        if (other != k) placement.content.push_back(other);
      }
      layout.named = std::move(named->places);
      layout.geometry = std::move(named->geometry);
      layout.placements = {std::move(placement)};
    }
  }
  if (layout.placements.empty()) return std::nullopt;
  std::set<std::string> taken;
  const Placement& board = layout.placements.front();
  for (const Fact& fact : initial) {
    if (fact.name == board.name && fact.arguments.size() == board.arity) {
      taken.insert(fact.arguments[board.across[0]]);
    }
  }
  layout.complete = taken.size() == layout.named.size();
  layout.mostly = 2 * taken.size() >= layout.named.size();
  return layout;
}

}  // namespace

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

std::string join(const Names& words, const std::vector<std::size_t>& which) {
  std::string text;
  for (const std::size_t i : which) text += (text.empty() ? "" : " ") + words[i];
  return text;
}

std::vector<std::size_t> coordinates_of(const Placement& placement) {
  std::set<std::size_t> all(placement.across.begin(), placement.across.end());
  all.insert(placement.up_or_down.begin(), placement.up_or_down.end());
  all.insert(placement.layers.begin(), placement.layers.end());
  return {all.begin(), all.end()};
}

std::optional<Square> square_of(const BoardLayout& layout, const Placement& placement,
                                const Names& arguments) {
  if (!layout.named.empty()) {
    const auto named = layout.named.find(arguments[placement.across[0]]);
    if (named == layout.named.end()) return std::nullopt;
    return named->second;
  }
  const auto place = [](const Names& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const auto coordinate = [&](const std::vector<std::size_t>& which) {
    return arguments[which[0]] + (which.size() > 1 ? "." + arguments[which[1]] : "");
  };
  const Geometry& geometry = layout.geometry;
  Square square{place(geometry.rows, coordinate(placement.up_or_down)),
                place(geometry.columns, coordinate(placement.across)), 0};
  if (!layout.layers.empty())
    square.layer = place(layout.layers, join(arguments, placement.layers));
  if (square.row == geometry.rows.size() || square.column == geometry.columns.size()) {
    return std::nullopt;
  }
  return square;
}

std::optional<BoardLayout> find_layout(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial) {
  const Orders orders(rules);
  const auto found = best_candidate(shapes, orders, initial);
  if (!found) return named_layout(rules, shapes, orders, initial);
  const Candidate& c = *found;
  BoardLayout layout;
  layout.complete = c.complete;
  layout.mostly = c.mostly;
  Placement placement;
  placement.name = c.shape->name;
  placement.arity = c.shape->arguments.size();
  const bool column_first = first_is_column(c, initial);
  placement.across = {column_first ? c.i : c.j};
  placement.up_or_down = {column_first ? c.j : c.i};
  layout.geometry.columns = column_first ? c.i_order : c.j_order;
  layout.geometry.rows = column_first ? c.j_order : c.i_order;
  if (column_first) std::reverse(layout.geometry.rows.begin(), layout.geometry.rows.end());
  sort_out_rest(c, orders, initial, placement);
  layout.placements.push_back(std::move(placement));
  join_blocks(rules, c, orders, initial, layout);
  layout.layers = layer_titles(c, orders, initial, layout.placements.front());
  if (layout.geometry.block == 0) find_hexagons(rules, c, column_first, layout);
  add_overlays(layout, shapes, c);
  return layout;
}

}  // namespace ludens::server
