#include "server/board/board.h"

#include <algorithm>
#include <set>

#include "server/board/layout.h"
#include "server/board/symbols.h"

namespace ludens::server {

struct Board::Layout {
  std::optional<BoardLayout> squares;
  std::vector<std::string> roles;  // folded
  Symbols symbols;
};

namespace {

std::string join(const std::vector<std::string>& words, const std::vector<std::size_t>& which) {
  std::string text;
  for (const std::size_t i : which) text += (text.empty() ? "" : " ") + words[i];
  return text;
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The layer of that title, made where it is new.
Grid& layer(std::vector<Grid>& grids, const BoardLayout& layout, const std::string& title) {
  for (Grid& grid : grids) {
    if (grid.title == title) return grid;
  }
  Grid grid{title, layout.rows, layout.columns, {}};
  grid.cells.resize(layout.rows.size());
  for (auto& row : grid.cells) row.resize(layout.columns.size());
  grids.push_back(std::move(grid));
  return grids.back();
}

bool place(std::vector<Grid>& grids, const BoardLayout& layout, const Fact& fact) {
  for (const Placement& placement : layout.placements) {
    if (fact.name != placement.name || fact.arguments.size() != placement.arity) continue;
    const std::size_t row = place_of(layout.rows, fact.arguments[placement.up_or_down]);
    const std::size_t column = place_of(layout.columns, fact.arguments[placement.across]);
    if (row == layout.rows.size() || column == layout.columns.size()) return false;
    Grid& grid = layer(grids, layout, join(fact.arguments, placement.layers));
    grid.cells[row][column].push_back(
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

}  // namespace

Board::Board(const gdl::Rules& rules, const std::string& initial) {
  auto layout = std::make_unique<Layout>();
  const std::vector<FluentShape> shapes = fluent_shapes(rules);
  const std::vector<Fact> facts = parse_state(initial);
  layout->squares = find_layout(shapes, Orders(rules), facts);
  for (const gdl::Term role : rules.roles) {
    layout->roles.push_back(gdl::fold_case(rules.print(role)));
  }
  if (layout->squares)
    layout->symbols = choose_symbols(*layout->squares, shapes, facts, layout->roles);
  layout_ = std::move(layout);
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

Picture Board::picture(const std::string& state) const {
  Picture picture;
  if (layout_->squares && layout_->squares->placements.front().layers.empty()) {
    layer(picture.grids, *layout_->squares, "");
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
