#include "server/board/board.h"

#include <algorithm>
#include <set>

#include "server/board/layout.h"
#include "server/board/looks.h"
#include "server/board/move_squares.h"
#include "server/board/symbols.h"

namespace ludens::server {

struct Board::Layout {
  std::optional<BoardLayout> squares;
  std::vector<std::string> roles;  // folded
  std::map<std::string, std::string> colours;
  Symbols symbols;
  Geometry geometry;
  std::map<std::string, Look> looks;
  std::optional<MoveSquares> moves;
};

namespace {

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The layer of that title, made where it is new.
Grid& layer(std::vector<Grid>& grids, const BoardLayout& layout, const std::string& title) {
  for (Grid& grid : grids) {
    if (grid.title == title) return grid;
  }
  Grid grid{title, {}};
  grid.cells.resize(layout.geometry.rows.size());
  for (auto& row : grid.cells) row.resize(layout.geometry.columns.size());
  grids.push_back(std::move(grid));
  return grids.back();
}

bool place(std::vector<Grid>& grids, const BoardLayout& layout, const Fact& fact) {
  for (const Placement& placement : layout.placements) {
    if (fact.name != placement.name || fact.arguments.size() != placement.arity) continue;
    const auto square = square_of(layout, placement, fact.arguments);
    if (!square) return false;
    Grid& grid = layer(grids, layout, join(fact.arguments, placement.layers));
    grid.cells[square->row][square->column].push_back(
        thing_name(placement, fact, &placement == &layout.placements.front()));
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

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Squares that hold nothing initially on a board whose squares all hold something, be it a word
/// for nothing.
void find_holes(const BoardLayout& layout, const Symbols& symbols, const std::vector<Grid>& grids,
                Geometry& geometry) {
  const bool all_hold = layout.mostly && !layout.complete && !symbols.empty_name.empty();
  if (!all_hold || grids.size() != 1) return;
  for (const auto& row : grids.front().cells) {
    auto& holes = geometry.holes.emplace_back();
    for (const auto& things : row) holes.push_back(things.empty());
  }
}

}  // namespace

Board::Board(const gdl::Rules& rules, const std::string& initial) {
  auto layout = std::make_unique<Layout>();
  const std::vector<FluentShape> shapes = fluent_shapes(rules);
  const std::vector<Fact> facts = parse_state(initial);
  layout->squares = find_layout(rules, shapes, facts);
  for (const gdl::Term role : rules.roles) {
    layout->roles.push_back(gdl::fold_case(rules.print(role)));
  }
  layout->colours = role_colours(layout->roles);
  layout_ = std::move(layout);
  if (layout_->squares) furnish(rules, shapes, facts, initial);
}

void Board::furnish(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                    const std::vector<Fact>& facts, const std::string& initial) {
  const BoardLayout& squares = *layout_->squares;
  layout_->symbols = choose_symbols(squares, shapes, facts, layout_->roles);
  layout_->looks = choose_looks(squares, layout_->symbols, facts, layout_->roles);
  layout_->moves.emplace(rules, squares);
  layout_->geometry = squares.geometry;
  layout_->geometry.chequered = layout_->moves->between_squares() && !squares.geometry.hexagons;
  if (layout_->geometry.holes.empty()) {
    find_holes(squares, layout_->symbols, picture(initial).grids, layout_->geometry);
  }
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

Look Board::look(const std::string& thing) const {
  const auto known = layout_->looks.find(thing);
  if (known != layout_->looks.end()) return known->second;
  return {Look::Shape::Text, "grey", thing};
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
    if (one) layer(picture.grids, *layout_->squares, "");
  }
  for (const Fact& fact : parse_state(state)) {
    if (layout_->squares && place(picture.grids, *layout_->squares, fact)) continue;
    const bool control = fact.arguments.size() == 1 &&
                         (is_number(fact.arguments[0]) ||
                          place_of(layout_->roles, fact.arguments[0]) < layout_->roles.size());
    add_fact(control ? picture.controls : picture.facts, fact);
  }
  return picture;
}

}  // namespace ludens::server
