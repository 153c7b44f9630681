// SPDX-License-Identifier: MIT
// Lays out places with values, in a row or a ring.
#include "server/board/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ludens::server {

namespace {

using Names = std::vector<std::string>;
using Edges = std::set<std::pair<std::string, std::string>>;

constexpr std::size_t kMinPlaces = 3, kMaxPlaces = 24;
/// The content of a place is a number or one of a few things.
constexpr std::size_t kMaxKinds = 8;
/// A ring of fewer places is drawn as a row.
constexpr std::size_t kMinRing = 6;
constexpr int kMaxSteps = 100000;  // limit of the search for a ring

/// All pairs of different places that occur in one fact of the rules: `(next south p1 p2)`.
Edges edges_between(const gdl::Rules& rules, const Names& places) {
  Edges edges;
  for (const gdl::Rule& rule : rules.rules) {
    if (!rule.body.empty() || rule.head < gdl::kKeywordCount) continue;
    Names named;
    for (const gdl::Term term : rule.arguments) {
      if (rules.terms.kind(term) != gdl::Terms::Kind::Constant) continue;
      const std::string& name = rules.symbols.folded(rules.terms.value(term));
      if (std::find(places.begin(), places.end(), name) != places.end()) named.push_back(name);
    }
    if (named.size() == 2 && named[0] != named[1]) edges.emplace(named[0], named[1]);
  }
  return edges;
}

/// A closed path along the edges through each place once.
class HamiltonianCycle {
 public:
  HamiltonianCycle(const Edges& edges, const Names& places) : edges_(edges), places_(places) {
    path_ = {places.front()};
    if (places.size() < kMinRing || !extend()) path_.clear();
  }
  [[nodiscard]] const Names& path() const { return path_; }

 private:
  bool extend() {
    if (++steps_ > kMaxSteps) return false;
    if (path_.size() == places_.size()) return edges_.contains({path_.back(), path_.front()});
    for (const std::string& place : places_) {
      if (!edges_.contains({path_.back(), place})) continue;
      if (std::find(path_.begin(), path_.end(), place) != path_.end()) continue;
      path_.push_back(place);
      if (extend()) return true;
      path_.pop_back();
    }
    return false;
  }

  const Edges& edges_;
  const Names& places_;
  Names path_;
  int steps_ = 0;
};

using Squares = std::map<std::string, Square>;

/// There below and back above, from place number `start` on; shifted by `shift` columns.
Squares two_rows(const Names& way, std::size_t start, std::size_t shift) {
  Squares squares;
  const std::size_t half = (way.size() + 1) / 2;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const std::string& place = way[(start + i) % way.size()];
    if (i < half) {
      squares[place] = {1, i + shift, 0};
    } else {
      squares[place] = {0, half - 1 - (i - half), 0};
    }
  }
  return squares;
}

double length(const Squares& squares, const Edges& edges) {
  double sum = 0;
  for (const auto& [from, to] : edges) {
    const Square a = squares.at(from), b = squares.at(to);
    const double across = static_cast<double>(a.column) - static_cast<double>(b.column);
    sum += across * across + (a.row != b.row ? 1 : 0);
  }
  return sum;
}

/// The rotation of the ring that brings the places that the rules name together closest to each
/// other.
Squares best_turn(const Names& way, const Edges& edges) {
  Squares best = two_rows(way, 0, 0);
  for (const std::size_t shift : {0, 1}) {
    for (std::size_t start = 0; start < way.size(); ++start) {
      Squares turned = two_rows(way, start, shift);
      if (length(turned, edges) < length(best, edges)) best = std::move(turned);
    }
  }
  return best;
}

Squares one_row(const Names& places) {
  Squares squares;
  for (const std::string& place : places) {
    const std::size_t column = squares.size();
    squares[place] = {0, column, 0};
  }
  return squares;
}

/// Rows have no names; columns have that of the place below, and of the place above.
void name_columns(BoardLayout& layout) {
  Geometry& geometry = layout.geometry;
  std::size_t rows = 0, columns = 0;
  for (const auto& [place, square] : layout.named) {
    rows = std::max(rows, square.row + 1);
    columns = std::max(columns, square.column + 1);
  }
  geometry.rows.assign(rows, "");
  geometry.columns.assign(columns, "");
  if (rows > 1) geometry.top.assign(columns, "");
  geometry.holes.assign(rows, std::vector<bool>(columns, true));
  for (const auto& [place, square] : layout.named) {
    (square.row + 1 == rows ? geometry.columns : geometry.top)[square.column] = place;
    geometry.holes[square.row][square.column] = false;
  }
}

/// The places of the fluent in order, if it is of this kind.
std::optional<Names> places_of(const gdl::Rules& rules, const FluentShape& shape,
                               const gdl::Orders& orders, const std::vector<Fact>& initial) {
  if (shape.arguments.size() != 2 || shape.may_be_compound[0] || shape.may_be_compound[1] ||
      !distinct(initial, shape, {0})) {
    return std::nullopt;
  }
  std::set<std::string> seen;
  for (const Fact& fact : initial) {
    if (is_of(fact, shape)) seen.insert(fact.arguments[0]);
  }
  for (const gdl::Term role : rules.roles) {
    if (seen.contains(gdl::fold_case(rules.print(role)))) return std::nullopt;
  }
  if (seen.size() < kMinPlaces || seen.size() > kMaxPlaces) return std::nullopt;
  const Names& values = shape.arguments[1];
  if (values.size() > kMaxKinds && !orders.order(values)) return std::nullopt;
  if (auto order = orders.order({seen.begin(), seen.end()})) {
    if (order->size() == seen.size()) return order;
  }
  Names places;  // as the rulesheet names them
  std::copy_if(shape.arguments[0].begin(), shape.arguments[0].end(), std::back_inserter(places),
               [&](const std::string& name) { return seen.contains(name); });
  return places;
}

}  // namespace

std::optional<BoardLayout> find_places(const gdl::Rules& rules,
                                       const std::vector<FluentShape>& shapes,
                                       const std::vector<Fact>& initial,
                                       const gdl::Orders& orders) {
  const FluentShape* best = nullptr;
  Names places;
  for (const FluentShape& shape : shapes) {
    auto found = places_of(rules, shape, orders, initial);
    if (!found || found->size() <= places.size()) continue;
    places = std::move(*found);
    best = &shape;
  }
  if (best == nullptr) return std::nullopt;
  BoardLayout layout;
  const Edges edges = edges_between(rules, places);
  const HamiltonianCycle cycle(edges, places);
  layout.named = cycle.path().empty() ? one_row(places) : best_turn(cycle.path(), edges);
  layout.counts = best->arguments[1].size() > 1 && orders.order(best->arguments[1]).has_value();
  layout.mostly = !layout.counts;
  layout.placements.push_back({best->name, 2, {0}, {0}, {}, {1}, true});
  name_columns(layout);
  return layout;
}

}  // namespace ludens::server
