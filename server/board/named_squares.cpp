// SPDX-License-Identifier: MIT
// Lays out a board whose squares have names, as `a1`.
#include "server/board/findings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

namespace ludens::server {

namespace {

/// Fewer squares than this are a list, not a board; so are one or two rows, and very long ones.
constexpr std::size_t kMinSquares = 9, kMinRows = 3, kMaxAspect = 4;

using Rows = std::map<std::string, std::map<long, std::string>>;  // by prefix and number
using NamedPairs = std::vector<std::pair<std::string, std::string>>;

struct NamedSquares {
  Geometry geometry;  // with its holes
  std::map<std::string, Square> places;
};

/// The names by prefix and number; empty if a name lacks one of them, or two have the same (`a1`,
/// `a01`).
Rows take_apart(const std::vector<std::string>& names) {
  Rows rows;
  for (const std::string& name : names) {
    const std::size_t last = name.find_last_not_of("0123456789");
    if (last == std::string::npos || last + 1 == name.size() || name.size() - last > 9) return {};
    long number = 0;
    std::from_chars(name.data() + last + 1, name.data() + name.size(), number);
    if (!rows[name.substr(0, last + 1)].emplace(number, name).second) return {};
  }
  return rows;
}

/// The facts with two of these names.
NamedPairs facts_of_two(const std::set<std::string>& names, const gdl::Rules& rules) {
  NamedPairs edges;
  for (const gdl::Rule& rule : rules.rules) {
    if (!rule.body.empty() || rule.arguments.size() != 2) continue;
    std::string ends[2];
    for (std::size_t i = 0; i < 2; ++i) {
      if (rules.terms.kind(rule.arguments[i]) != gdl::Terms::Kind::Constant) continue;
      ends[i] = rules.symbols.folded(rules.terms.value(rule.arguments[i]));
    }
    if (names.contains(ends[0]) && names.contains(ends[1])) edges.emplace_back(ends[0], ends[1]);
  }
  return edges;
}

/// The sum of the distances between the ends of the edges.
double length(const NamedSquares& squares, const NamedPairs& edges) {
  double sum = 0;
  for (const auto& [from, to] : edges) {
    const Square a = squares.places.at(from), b = squares.places.at(to);
    const auto across = [&](Square p) {
      return 2 * static_cast<double>(p.column) +
             (squares.geometry.shift.empty() ? 0 : squares.geometry.shift[p.row]);
    };
    sum += std::hypot(across(a) - across(b),
                      2 * (static_cast<double>(a.row) - static_cast<double>(b.row)));
  }
  return sum;
}

NamedSquares chess_board(const Rows& rows, const std::vector<std::string>& prefixes) {
  NamedSquares squares;
  squares.geometry.columns = prefixes;
  const auto& numbers = rows.at(prefixes.front());
  for (auto it = numbers.rbegin(); it != numbers.rend(); ++it) {
    squares.geometry.rows.push_back(std::to_string(it->first));
  }
  for (std::size_t column = 0; column < prefixes.size(); ++column) {
    std::size_t row = squares.geometry.rows.size();
    for (const auto& [number, name] : rows.at(prefixes[column])) {
      squares.places[name] = {--row, column, 0};
    }
  }
  return squares;
}

NamedSquares rows_of(const Rows& rows, const std::vector<std::string>& prefixes) {
  NamedSquares squares;
  squares.geometry.rows = prefixes;
  std::size_t widest = 0;
  for (std::size_t row = 0; row < prefixes.size(); ++row) {
    std::size_t column = 0;
    for (const auto& [number, name] : rows.at(prefixes[row]))
      squares.places[name] = {row, column++, 0};
    widest = std::max(widest, column);
  }
  for (std::size_t column = 0; column < widest; ++column) {
    squares.geometry.columns.push_back(std::to_string(column + 1));
  }
  return squares;
}

NamedSquares with_holes(NamedSquares squares) {
  Geometry& geometry = squares.geometry;
  geometry.holes.assign(geometry.rows.size(), std::vector<bool>(geometry.columns.size(), true));
  for (const auto& [name, place] : squares.places) geometry.holes[place.row][place.column] = false;
  return squares;
}

NamedSquares centred(NamedSquares squares, const Rows& rows) {
  squares.geometry.hexagons = true;
  for (const std::string& prefix : squares.geometry.rows) {
    squares.geometry.shift.push_back(
        static_cast<int>(squares.geometry.columns.size() - rows.at(prefix).size()));
    const std::size_t count = squares.geometry.shift.size();
    if (count > 1 &&
        (squares.geometry.shift[count - 1] - squares.geometry.shift[count - 2]) % 2 == 0) {
      squares.geometry.hexagons = false;
    }
  }
  return squares;
}

/// Nullopt if the names are not of this kind.
std::optional<NamedSquares> place_names(const std::vector<std::string>& names,
                                        const gdl::Rules& rules, const gdl::Orders& orders) {
  const Rows rows = take_apart(names);
  if (names.size() < kMinSquares || rows.size() < kMinRows || 2 * rows.size() > names.size() ||
      names.size() > kMaxAspect * rows.size() * rows.size()) {
    return std::nullopt;
  }
  std::vector<std::string> prefixes;
  bool full = true;
  std::size_t widest = 0;
  for (const auto& [prefix, row] : rows) {
    prefixes.push_back(prefix);
    widest = std::max(widest, row.size());
    full &= row.size() == rows.begin()->second.size() &&
            row.begin()->first == rows.begin()->second.begin()->first;
  }
  if (rows.size() * widest > kMostSquares) return std::nullopt;
  if (const auto order = orders.order(prefixes)) prefixes = *order;
  if (full) return chess_board(rows, prefixes);
  const NamedSquares left = with_holes(rows_of(rows, prefixes));
  const NamedSquares middle = centred(left, rows);
  const NamedPairs edges = facts_of_two({names.begin(), names.end()}, rules);
  return length(left, edges) < length(middle, edges) ? left : middle;
}

}  // namespace

std::optional<BoardLayout> find_named_squares(const gdl::Rules& rules,
                                              const std::vector<FluentShape>& shapes,
                                              const std::vector<Fact>& initial,
                                              const gdl::Orders& orders) {
  BoardLayout layout;
  for (const FluentShape& shape : shapes) {
    for (std::size_t k = 0; k < shape.arguments.size(); ++k) {
      if (shape.may_be_compound[k]) continue;
      auto named = place_names(shape.arguments[k], rules, orders);
      if (!named || named->places.size() <= layout.named.size()) continue;
      Placement placement{shape.name, shape.arguments.size(), {k}, {k}, {}, {}, true};
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

}  // namespace ludens::server
