#include "server/board/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gdl/text/syntax.h"

namespace ludens::server {

namespace {

/// A fluent with more values than that says something of a square, it is no thing that lies there.
constexpr std::size_t kMaxOverlayKinds = 8;

using Names = std::vector<std::string>;
using Square = std::pair<std::string, std::string>;

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
  std::set<Square> squares;
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

/// Ordered arguments beside the pair are layers if the pair alone does not tell squares apart, or
/// if nothing is known of that and something else is left to be the content.
void sort_out_rest(const Candidate& c, const Orders& orders, const std::vector<Fact>& initial,
                   Placement& placement) {
  std::vector<std::size_t> ordered, others;
  for (std::size_t k = 0; k < c.shape->arguments.size(); ++k) {
    if (k == c.i || k == c.j) continue;
    const bool coordinate = coordinates(*c.shape, k, orders, initial).has_value();
    (coordinate ? ordered : others).push_back(k);
  }
  const bool known = std::any_of(initial.begin(), initial.end(),
                                 [&](const Fact& fact) { return is_of(fact, *c.shape); });
  const bool layered = known ? !c.single : !others.empty();
  if (layered) {
    placement.layers = ordered;
    placement.content = others;
  } else {
    placement.content = ordered;
    placement.content.insert(placement.content.end(), others.begin(), others.end());
    std::sort(placement.content.begin(), placement.content.end());
  }
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
  const bool column_first = board.across == main.i;
  for (const FluentShape& shape : shapes) {
    const std::size_t arity = shape.arguments.size();
    if (&shape == main.shape || arity < 2 || arity > 3) continue;
    for (std::size_t i = 0; i + 1 < arity; ++i) {
      if (!same(shape.arguments[i], main.i_order)) continue;
      if (!same(shape.arguments[i + 1], main.j_order)) continue;
      if (arity == 3 && shape.arguments[i == 0 ? 2 : 0].size() > kMaxOverlayKinds) continue;
      Placement placement{shape.name, arity, column_first ? i : i + 1, column_first ? i + 1 : i,
                          {},         {}};
      if (arity == 3) placement.content.push_back(i == 0 ? 2 : 0);
      layout.placements.push_back(std::move(placement));
      break;
    }
  }
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

std::optional<BoardLayout> find_layout(const std::vector<FluentShape>& shapes, const Orders& orders,
                                       const std::vector<Fact>& initial) {
  const auto found = best_candidate(shapes, orders, initial);
  if (!found) return std::nullopt;
  const Candidate& c = *found;
  BoardLayout layout;
  layout.complete = c.complete;
  layout.mostly = c.mostly;
  Placement placement;
  placement.name = c.shape->name;
  placement.arity = c.shape->arguments.size();
  const bool column_first = first_is_column(c, initial);
  placement.across = column_first ? c.i : c.j;
  placement.up_or_down = column_first ? c.j : c.i;
  layout.columns = column_first ? c.i_order : c.j_order;
  layout.rows = column_first ? c.j_order : c.i_order;
  if (column_first) std::reverse(layout.rows.begin(), layout.rows.end());
  sort_out_rest(c, orders, initial, placement);
  layout.placements.push_back(std::move(placement));
  add_overlays(layout, shapes, c);
  return layout;
}

}  // namespace ludens::server
