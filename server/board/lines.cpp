// SPDX-License-Identifier: MIT
#include "server/board/lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "gdl/rules/orders.h"
#include "server/board/neighbours.h"

namespace ludens::server {

namespace {

using Names = std::vector<std::string>;

constexpr std::array<std::string_view, 5> kWalls{"wall", "block", "barrier", "fence", "border"};

/// The place of a side, in half squares from the middle.
struct Side {
  std::string_view name;
  int x, y;
};
constexpr std::array<Side, 10> kSides{{{"north", 0, -1},
                                       {"south", 0, 1},
                                       {"east", 1, 0},
                                       {"west", -1, 0},
                                       {"up", 0, -1},
                                       {"down", 0, 1},
                                       {"right", 1, 0},
                                       {"left", -1, 0},
                                       {"top", 0, -1},
                                       {"bottom", 0, 1}}};

const Side* side_named(const std::string& name) {
  const auto side =
      std::find_if(kSides.begin(), kSides.end(), [&](const Side& s) { return s.name == name; });
  return side == kSides.end() ? nullptr : &*side;
}

/// `east` of `blockedeast` and `wall_east`.
std::string side_in(const std::string& name) {
  for (const Side& side : kSides) {
    if (name.size() > side.name.size() && name.ends_with(side.name)) return std::string(side.name);
  }
  return {};
}

bool says_wall(const std::string& name) {
  return std::any_of(kWalls.begin(), kWalls.end(),
                     [&](auto word) { return name.find(word) != std::string::npos; });
}

std::optional<long> integer(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The place of a coordinate; for numbers, one step outside the board counts, too. The numbers may
/// be listed in ascending or descending order.
std::optional<int> place(const Names& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const auto wanted = integer(name), first = integer(names.front()), last = integer(names.back());
  if (!wanted || !first || !last || names.size() < 2) return std::nullopt;
  const long step = *first < *last ? 1 : -1;
  if (*wanted == *first - step) return -1;
  if (*wanted == *last + step) return static_cast<int>(names.size());
  return std::nullopt;
}

/// Whether at least half of the constants are coordinates, or at least half of the coordinates are
/// among them.
bool are_coordinates(const Names& constants, const Names& names) {
  const std::set<std::string> coordinates(names.begin(), names.end());
  const auto known =
      std::count_if(constants.begin(), constants.end(),
                    [&](const std::string& constant) { return coordinates.contains(constant); });
  return 2 * known >= std::min(std::ssize(names), std::ssize(constants)) && known > 0;
}

/// The names of both lists, each once.
Names both(Names names, const Names& others) {
  std::set<std::string> known(names.begin(), names.end());
  std::copy_if(others.begin(), others.end(), std::back_inserter(names),
               [&](const std::string& name) { return known.insert(name).second; });
  return names;
}

/// May a fluent of that shape name the same square twice? Then it is not a way between squares, but
/// says which squares belong together.
bool joins_a_square_to_itself(const gdl::Rules& rules, const FluentShape& shape) {
  return std::any_of(rules.rules.begin(), rules.rules.end(), [&](const gdl::Rule& rule) {
    if (rule.head != gdl::kNext) return false;
    const gdl::Term fluent = rule.arguments[0];
    if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound) return false;
    const auto parts = rules.terms.arguments(fluent);
    return parts.size() == 4 && rules.symbols.folded(rules.terms.value(fluent)) == shape.name &&
           parts[0] == parts[2] && parts[1] == parts[3];
  });
}

bool is_inside(const Geometry& geometry, const Line& line) {
  const int width = 2 * static_cast<int>(geometry.columns.size());
  const int height = 2 * static_cast<int>(geometry.rows.size());
  return std::min(line.x1, line.x2) >= 0 && std::max(line.x1, line.x2) <= width &&
         std::min(line.y1, line.y2) >= 0 && std::max(line.y1, line.y2) <= height;
}

}  // namespace

bool names_side(const std::string& name) {
  return std::any_of(kSides.begin(), kSides.end(), [&](const Side& side) {
    return side.name.size() >= 4 && name.find(side.name) != std::string::npos;
  });
}

Lines::Lines(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
             const BoardLayout& layout) {
  const Placement& board = layout.placements.front();
  if (!layout.named.empty() || board.across.size() != 1 || layout.geometry.hexagons) return;
  if (!layout.geometry.shift.empty() || !layout.layers.empty() || !board.layers.empty()) return;
  links_ = layout.links;
  if (board.across[0] > board.up_or_down[0]) return;  // rows that run down: which way is north?
  std::map<std::pair<std::string, std::size_t>, std::vector<Names>> relations;
  std::vector<Fact> facts;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head < gdl::kKeywordCount || !rule.body.empty()) continue;
    const std::string name = rules.symbols.folded(rules.relations[rule.head].name);
    if (!says_wall(name) || rule.arguments.size() < 2) continue;
    Fact fact{name, {}};
    for (const gdl::Term term : rule.arguments) {
      fact.arguments.push_back(gdl::fold_case(rules.print(term)));
    }
    auto& arguments = relations[{name, fact.arguments.size()}];
    arguments.resize(fact.arguments.size());
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (std::find(arguments[k].begin(), arguments[k].end(), fact.arguments[k]) ==
          arguments[k].end()) {
        arguments[k].push_back(fact.arguments[k]);
      }
    }
    facts.push_back(std::move(fact));
  }
  for (const auto& [relation, arguments] : relations) add_kind(relation.first, arguments, layout);
  for (const Fact& fact : facts) {
    if (line(layout.geometry, fact)) fixed_.push_back(fact);
  }
  for (const FluentShape& shape : shapes) add_kind(shape.name, shape.arguments, layout);
}

void Lines::add_kind(const std::string& name, const std::vector<Names>& arguments,
                     const BoardLayout& layout) {
  if (!says_wall(name) || arguments.size() < 2 || arguments.size() > 3) return;
  Kind kind{name, arguments.size(), 0, 1, side_in(name)};
  const bool behind = kind.arity == 3 && std::all_of(arguments[2].begin(), arguments[2].end(),
                                                     [](auto& n) { return side_named(n); });
  if (behind) kind.side.clear();
  if (behind == (kind.arity == 2) || (kind.side.empty() && !behind)) return;
  if (are_coordinates(arguments[kind.across], layout.geometry.columns) &&
      are_coordinates(arguments[kind.up_or_down], layout.geometry.rows)) {
    kinds_.push_back(std::move(kind));
  }
}

std::optional<Line> Lines::line(const Geometry& geometry, const Fact& fact) const {
  const auto middle = [&](std::size_t across,
                          std::size_t up) -> std::optional<std::pair<int, int>> {
    const auto column = place(geometry.columns, fact.arguments[across]);
    const auto row = place(geometry.rows, fact.arguments[up]);
    if (!column || !row) return std::nullopt;
    return std::pair{2 * *column + 1, 2 * *row + 1};
  };
  std::optional<Line> found;
  if (links_ && fact.name == links_->name && fact.arguments.size() == links_->arity) {
    const auto a = middle(links_->across[0], links_->up_or_down[0]);
    const auto b = middle(links_->across[0] + 2, links_->up_or_down[0] + 2);
    if (a && b) found = {a->first, a->second, b->first, b->second, true};
  }
  for (const Kind& kind : kinds_) {
    if (found || fact.name != kind.name || fact.arguments.size() != kind.arity) continue;
    const Side* side = side_named(kind.side.empty() ? fact.arguments[2] : kind.side);
    const auto at = middle(kind.across, kind.up_or_down);
    if (side == nullptr || !at) continue;
    const int x = at->first + side->x, y = at->second + side->y;
    const int half_width = side->x == 0 ? 1 : 0, half_height = 1 - half_width;
    found = {x - half_width, y - half_height, x + half_width, y + half_height, false};
  }
  return found && is_inside(geometry, *found) ? found : std::nullopt;
}

std::optional<BoardLayout> find_links(const gdl::Rules& rules,
                                      const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial, const gdl::Orders& orders) {
  for (const FluentShape& shape : shapes) {
    if (shape.arguments.size() != 4 || joins_a_square_to_itself(rules, shape)) continue;
    const bool known = std::any_of(initial.begin(), initial.end(),
                                   [&](const Fact& fact) { return is_of(fact, shape); });
    const auto across = orders.order(both(shape.arguments[0], shape.arguments[2]));
    const auto up = orders.order(both(shape.arguments[1], shape.arguments[3]));
    if (known || !across || !up || across->size() * up->size() > kMostSquares) continue;
    if (!relates_neighbours(rules, *across, *up)) continue;
    BoardLayout layout;
    layout.geometry.columns = *across;
    layout.geometry.rows.assign(up->rbegin(), up->rend());
    layout.geometry.dots = true;
    layout.placements.push_back({"", 2, {0}, {1}, {}, {}, true});
    layout.links = Placement{shape.name, 4, {0}, {1}, {}, {}};
    for (const FluentShape& other : shapes) {
      if (other.arguments.size() != 3 || !are_coordinates(other.arguments[0], *across) ||
          !are_coordinates(other.arguments[1], *up)) {
        continue;
      }
      layout.placements.push_back({other.name, 3, {0}, {1}, {}, {2}, true});
    }
    return layout;
  }
  return std::nullopt;
}

void drop_outside(Geometry& geometry, const std::vector<Line>& walls, const Grid& grid) {
  const auto parted = [&](bool column, int at, std::size_t length) {
    std::set<int> along;
    for (const Line& wall : walls) {
      if (column && wall.x1 == at && wall.x2 == at) along.insert(wall.y1);
      if (!column && wall.y1 == at && wall.y2 == at) along.insert(wall.x1);
    }
    return along.size() + 1 >= length;  // a corner needs no wall
  };
  const auto empty_column = [&](std::size_t column) {
    return std::all_of(grid.cells.begin(), grid.cells.end(),
                       [&](const auto& row) { return row[column].empty(); });
  };
  const auto empty_row = [&](std::size_t row) {
    return std::all_of(grid.cells[row].begin(), grid.cells[row].end(),
                       [](const auto& things) { return things.empty(); });
  };
  const std::size_t width = geometry.columns.size(), height = geometry.rows.size();
  if (width < 3 || height < 3) return;
  const int right = 2 * static_cast<int>(width) - 2, below = 2 * static_cast<int>(height) - 2;
  if (parted(true, right, height) && empty_column(width - 1)) geometry.columns.pop_back();
  if (parted(true, 2, height) && empty_column(0)) geometry.columns.erase(geometry.columns.begin());
  if (parted(false, below, width) && empty_row(height - 1)) geometry.rows.pop_back();
  if (parted(false, 2, width) && empty_row(0)) geometry.rows.erase(geometry.rows.begin());
}

}  // namespace ludens::server
