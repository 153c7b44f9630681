// SPDX-License-Identifier: MIT
#include "server/board/board.h"

#include <algorithm>
#include <set>

#include "gdl/rules/orders.h"
#include "server/board/appearance.h"
#include "server/board/arrangement.h"
#include "server/board/declared.h"
#include "server/board/domains.h"
#include "server/board/findings.h"
#include "server/board/layout.h"
#include "server/board/lines.h"
#include "server/board/move_squares.h"

namespace ludens::server {

struct Board::Layout {
  std::optional<BoardLayout> squares;
  std::optional<Arrangement> arrangement;  // rewrites states for `squares`
  std::vector<std::string> roles;          // folded
  std::map<std::string, std::string> colours;
  Symbols symbols;
  Geometry geometry;
  Lines lines;
  std::map<std::string, Appearance> appearances;
  std::optional<MoveSquares> moves;
};

namespace {

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The layer with that title; it is added if it is new. Null if there are squares enough.
Grid* layer(std::vector<Grid>& grids, const BoardLayout& layout, const std::string& title) {
  for (Grid& grid : grids) {
    if (grid.title == title) return &grid;
  }
  const std::size_t rows = layout.geometry.rows.size(), columns = layout.geometry.columns.size();
  if ((grids.size() + 1) * rows * columns > kMostSquares) return nullptr;
  Grid grid{title, {}};
  grid.cells.resize(rows);
  for (auto& row : grid.cells) row.resize(columns);
  grids.push_back(std::move(grid));
  return &grids.back();
}

bool place(Picture& picture, const BoardLayout& layout, const Fact& fact) {
  for (const Placement& placement : layout.placements) {
    if (fact.name != placement.name || fact.arguments.size() != placement.arity) continue;
    const auto square = square_of(layout, placement, fact.arguments);
    if (!square) return false;
    if (layout.links) {  // between this point and its neighbours to the right and above
      picture.marks.push_back({2 * static_cast<int>(square->column) + 2,
                               2 * static_cast<int>(square->row), thing_name(placement, fact)});
      return true;
    }
    Grid* grid = layer(picture.grids, layout, layer_title(placement, fact.arguments));
    if (grid == nullptr) return false;
    grid->cells[square->row][square->column].push_back(thing_name(placement, fact));
    return true;
  }
  return false;
}

void add_fact(std::vector<FactGroup>& groups, const Fact& fact) {
  std::string text;
  for (const std::string& argument : fact.arguments) text += (text.empty() ? "" : " ") + argument;
  for (FactGroup& group : groups) {
    if (group.name == fact.name) return group.facts.push_back(std::move(text));
  }
  groups.push_back({fact.name, {std::move(text)}});
}

/// Linked dots if there are any, otherwise a grid, otherwise squares with names of their own or
/// places in a line. If nothing is on the grid initially and much is on named squares, these are
/// the board.
std::optional<BoardLayout> find_layout(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial,
                                       const gdl::Orders& orders) {
  if (auto links = find_links(rules, shapes, initial, orders)) return links;
  const auto axes = find_grid_axes(shapes, orders, initial);
  if (!axes || !axes->known) {
    auto named = find_named_squares(rules, shapes, initial, orders);
    if (named && (!axes || named->mostly)) return named;
    if (!axes) return find_places(rules, shapes, initial, orders);
  }
  return lay_out_grid(rules, shapes, initial, orders, *axes);
}

/// Squares that hold nothing initially on a board whose other squares all hold something, even if
/// only a word for nothing.
void find_holes(const BoardLayout& layout, const Symbols& symbols, const std::vector<Grid>& grids,
                Geometry& geometry) {
  const bool all_hold = layout.mostly && !layout.complete && !symbols.empty_name.empty();
  if (!all_hold || grids.size() != 1) return;
  for (const auto& row : grids.front().cells) {
    auto& holes = geometry.holes.emplace_back();
    for (const auto& things : row) holes.push_back(things.empty());
  }
}

/// Squares on which the rules declare nothing.
void find_undeclared(const gdl::Rules& rules, const BoardLayout& layout, Geometry& geometry) {
  const Placement& board = layout.placements.front();
  if (layout.complete || !layout.named.empty() || layout.links || !layout.layers.empty()) return;
  const auto facts = declared_facts(rules, board);
  if (!facts || facts->empty()) return;
  auto holes = std::vector(geometry.rows.size(), std::vector<bool>(geometry.columns.size(), true));
  std::size_t missing = geometry.rows.size() * geometry.columns.size();
  for (const Fact& fact : *facts) {
    const auto square = square_of(layout, board, fact.arguments);
    if (!square || !holes[square->row][square->column]) continue;
    holes[square->row][square->column] = false;
    --missing;
  }
  if (missing > 0) geometry.holes = std::move(holes);
}

/// A square without two opposite corners, each a triangle of nearly half its side, is a hexagon of
/// hexagons, whose coordinates run along two of its three directions.
void find_hexagon(Geometry& geometry) {
  const std::size_t size = geometry.rows.size(), half = size / 2;
  if (geometry.hexagons || size < 5 || size % 2 == 0) return;
  if (geometry.columns.size() != size || geometry.holes.size() != size) return;
  for (const bool mirrored : {false, true}) {
    bool fits = true;
    for (std::size_t row = 0; row < size && fits; ++row) {
      for (std::size_t column = 0; column < size && fits; ++column) {
        const std::size_t sum = row + (mirrored ? size - 1 - column : column);
        fits = geometry.holes[row][column] == (sum < half || sum > 2 * (size - 1) - half);
      }
    }
    if (!fits) continue;
    geometry.hexagons = true;
    for (std::size_t row = 0; row < size; ++row) {
      geometry.shift.push_back(static_cast<int>(mirrored ? size - 1 - row : row));
    }
    return;
  }
}

}  // namespace

Board::Board(const gdl::Rules& rules, const std::string& initial) {
  auto layout = std::make_unique<Layout>();
  std::vector<FluentShape> shapes = fluent_shapes(rules);
  std::erase_if(shapes, [](const auto& shape) { return shape.arguments.size() > kMostArguments; });
  std::vector<Fact> facts = parse_state(initial);
  for (const gdl::Term role : rules.roles) {
    layout->roles.push_back(gdl::fold_case(rules.print(role)));
  }
  layout->colours = role_colours(layout->roles);
  layout_ = std::move(layout);
  find(rules, shapes, facts);
  if (layout_->squares) find_details(rules, shapes, facts, initial);
}

void Board::find(const gdl::Rules& rules, std::vector<FluentShape>& shapes,
                 std::vector<Fact>& facts) {
  const gdl::Orders orders(rules);
  auto& arrangement = layout_->arrangement = find_piles(shapes, facts, orders);
  auto& squares = layout_->squares;
  if (!arrangement) squares = find_layout(rules, shapes, facts, orders);
  if (!arrangement && !squares) arrangement = find_coordinates(rules, shapes, facts, orders);
  if (arrangement) squares = layout_of(*arrangement);
  if (squares && size_of(*squares) > kMostSquares) {
    squares.reset();
    arrangement.reset();
  }
  if (!arrangement) return;
  shapes.push_back(shape_of(*arrangement));
  facts = arrangement->squares(std::move(facts));
}

void Board::find_details(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                         const std::vector<Fact>& facts, const std::string& initial) {
  const BoardLayout& squares = *layout_->squares;
  layout_->symbols = choose_symbols(squares, shapes, facts, layout_->roles);
  layout_->appearances = choose_appearances(squares, layout_->symbols, facts, layout_->roles,
                                            owners_of_things(rules, squares));
  for (const std::string& trace : traces(rules, squares)) {
    const auto known = layout_->appearances.find(trace);
    if (known != layout_->appearances.end()) known->second.trace = true;
  }
  if (layout_->arrangement && layout_->arrangement->sized) {
    show_sizes(layout_->arrangement->things, layout_->symbols, layout_->appearances);
  }
  layout_->moves.emplace(rules, squares);
  layout_->lines = Lines(rules, shapes, squares);
  if (const Picture first = picture(initial); first.grids.size() == 1) {
    drop_outside(layout_->squares->geometry, first.lines, first.grids.front());
  }
  Geometry& geometry = layout_->geometry = squares.geometry;
  if (geometry.holes.empty()) {
    find_holes(squares, layout_->symbols, picture(initial).grids, geometry);
  }
  if (geometry.holes.empty() && !layout_->arrangement) find_undeclared(rules, squares, geometry);
  find_hexagon(geometry);
  geometry.chequered = layout_->moves->between_squares() && !geometry.hexagons;
  find_terrain(rules, squares, geometry);
}

Board::~Board() = default;
Board::Board(Board&&) noexcept = default;
Board& Board::operator=(Board&&) noexcept = default;

bool Board::found() const {
  return layout_->squares.has_value();
}

const Symbols& Board::symbols() const {
  return layout_->symbols;
}

const Geometry& Board::geometry() const {
  return layout_->geometry;
}

Appearance Board::appearance(const std::string& thing) const {
  const auto known = layout_->appearances.find(thing);
  if (known != layout_->appearances.end()) return known->second;
  if (const std::size_t of = thing.find(" of "); of != std::string::npos) {
    Appearance trace = appearance(thing.substr(0, of));
    const Appearance piece = appearance(thing.substr(of + 4));
    trace.colour = piece.colour;
    trace.role = piece.role;
    return trace;
  }
  return {Appearance::Shape::Text, "grey", thing};
}

std::string Board::role_colour(const std::string& role) const {
  const auto known = layout_->colours.find(gdl::fold_case(role));
  return known != layout_->colours.end() ? known->second : "grey";
}

SquaresOfMove Board::squares_of(const std::string& move) const {
  if (!layout_->moves) return {};
  return layout_->moves->squares(*layout_->squares, move);
}

Picture Board::picture(const std::string& state) const {
  Picture picture;
  if (layout_->squares) {
    for (const std::string& title : layout_->squares->layers) {
      layer(picture.grids, *layout_->squares, title);
    }
    const bool one = layout_->squares->placements.front().layers.empty();
    if (one && picture.grids.empty()) layer(picture.grids, *layout_->squares, "");
  }
  std::vector<Fact> facts = parse_state(state);
  if (layout_->arrangement) facts = layout_->arrangement->squares(std::move(facts));
  const Geometry* geometry = layout_->squares ? &layout_->squares->geometry : nullptr;
  if (geometry != nullptr) {
    for (const Fact& wall : layout_->lines.fixed()) {
      if (const auto line = layout_->lines.line(*geometry, wall)) picture.lines.push_back(*line);
    }
  }
  for (const Fact& fact : facts) {
    const auto line = geometry != nullptr ? layout_->lines.line(*geometry, fact) : std::nullopt;
    if (line) {
      picture.lines.push_back(*line);
      continue;
    }
    if (layout_->squares && place(picture, *layout_->squares, fact)) continue;
    const bool control = fact.arguments.size() == 1 &&
                         (is_number(fact.arguments[0]) ||
                          place_of(layout_->roles, fact.arguments[0]) < layout_->roles.size());
    add_fact(control ? picture.controls : picture.facts, fact);
  }
  return picture;
}

}  // namespace ludens::server
