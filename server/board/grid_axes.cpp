// SPDX-License-Identifier: MIT
#include "server/board/grid_axes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "server/board/layout.h"

namespace ludens::server {

namespace {

using Names = std::vector<std::string>;

/// More boards than this are not put side by side.
constexpr std::size_t kMaxSideBySide = 6;

/// A board whose coordinates are cut is at least this long: a short one may well be real.
constexpr std::size_t kLong = 16;

std::set<std::string> values(const std::vector<Fact>& facts, const FluentShape& shape,
                             std::size_t argument) {
  std::set<std::string> seen;
  for (const Fact& fact : facts) {
    if (is_of(fact, shape)) seen.insert(fact.arguments[argument]);
  }
  return seen;
}

/// Is it like `(heap a 5)`: a value for each of some names, not a square? Either all names have
/// one, or several have the same.
bool is_table(const std::vector<Fact>& initial, const GridAxes& c) {
  if (c.shape->arguments.size() != 2) return false;
  const std::size_t keys = values(initial, *c.shape, 0).size();
  if (!distinct(initial, *c.shape, {0})) return false;
  const bool equal = keys >= 3 && values(initial, *c.shape, 1).size() == 1;
  return keys > 0 && (keys == c.i_order.size() || equal);
}

/// `ordered`: all ordered arguments of the shape. Where they tell the facts of a square apart,
/// there are boards on a board.
void rate(GridAxes& c, const std::vector<std::size_t>& ordered, const std::vector<Fact>& initial) {
  std::set<std::pair<std::string, std::string>> squares;
  std::size_t facts = 0;
  for (const Fact& fact : initial) {
    if (!is_of(fact, *c.shape)) continue;
    ++facts;
    squares.emplace(fact.arguments[c.i], fact.arguments[c.j]);
  }
  const std::size_t size = c.i_order.size() * c.j_order.size();
  c.known = facts > 0;
  c.single = squares.size() == facts;
  c.complete = squares.size() == size;
  c.mostly = 2 * squares.size() >= size;
  const auto [low, high] = std::minmax({c.i_order.size(), c.j_order.size()});
  const double squareness = static_cast<double>(low) / static_cast<double>(high);
  const bool layered = !c.single && naming_layers(*c.shape, {c.i, c.j}, initial).has_value();
  const bool stacked = !c.single && ordered.size() == 4 && distinct(initial, *c.shape, ordered);
  const double unique = c.single ? 1 : layered ? 0.8 : stacked ? 0.5 : 0.1;
  c.score = static_cast<double>(size) * squareness * squareness * unique * (c.complete ? 4 : 1);
  if (c.shape->arguments.size() == 2) c.score *= is_table(initial, c) ? 0 : 0.5;
  if (size < 4 || size > kMostSquares) c.score = 0;
}

/// Cuts to the shortest of the listed sets that contain all values, if it is much shorter than the
/// order.
void cut_to_list(Names& order, const std::set<std::string>& seen, const gdl::Orders& orders) {
  if (order.size() < kLong) return;
  std::map<std::string, std::ptrdiff_t> places;
  for (const std::string& name : order) places.emplace(name, std::ssize(places));
  const auto place = [&](const std::string& name) {
    const auto found = places.find(name);
    return found != places.end() ? found->second : std::ssize(order);
  };
  std::ptrdiff_t first = std::ssize(order), last = 0;
  for (const std::string& name : seen) {
    first = std::min(first, place(name));
    last = std::max(last, place(name));
  }
  if (2 * (last - first + 1) > std::ssize(order)) return;
  for (const Names& list : orders.lists()) {
    const std::set<std::string> listed(list.begin(), list.end());
    const bool holds = std::includes(listed.begin(), listed.end(), seen.begin(), seen.end());
    const bool part = std::all_of(list.begin(), list.end(), [&](const std::string& name) {
      return place(name) < std::ssize(order);
    });
    if (holds && part && list.size() >= 3 && 2 * list.size() <= order.size()) order = list;
  }
}

}  // namespace

std::optional<Names> coordinates(const FluentShape& shape, std::size_t argument,
                                 const gdl::Orders& orders, const std::vector<Fact>& initial) {
  if (shape.may_be_compound[argument]) return std::nullopt;
  const std::set<std::string> seen = values(initial, shape, argument);
  auto order = orders.order(shape.arguments[argument]);
  if (!order) return orders.order({seen.begin(), seen.end()});
  if (!seen.empty() && !shape.declared) cut_to_list(*order, seen, orders);
  return order;
}

std::optional<std::size_t> naming_layers(const FluentShape& shape,
                                         const std::vector<std::size_t>& key,
                                         const std::vector<Fact>& initial) {
  const std::size_t arity = shape.arguments.size();
  if (key.size() + 2 > arity) return std::nullopt;
  for (std::size_t k = 0; k < arity; ++k) {
    if (std::find(key.begin(), key.end(), k) != key.end()) continue;
    std::vector<std::size_t> longer = key;
    longer.push_back(k);
    const std::size_t layers = values(initial, shape, k).size();
    if (layers >= 2 && layers <= kMaxSideBySide && distinct(initial, shape, longer)) return k;
  }
  return std::nullopt;
}

std::optional<GridAxes> find_grid_axes(const std::vector<FluentShape>& shapes,
                                       const gdl::Orders& orders,
                                       const std::vector<Fact>& initial) {
  GridAxes best;
  for (const FluentShape& shape : shapes) {
    std::vector<std::optional<Names>> order;
    std::vector<std::size_t> ordered;
    for (std::size_t i = 0; i < shape.arguments.size(); ++i) {
      order.push_back(coordinates(shape, i, orders, initial));
      if (order.back()) ordered.push_back(i);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (!order[i] || !order[j]) continue;
        GridAxes c{&shape, i, j, *order[i], *order[j]};
        rate(c, ordered, initial);
        if (c.score > best.score) best = std::move(c);
      }
    }
  }
  if (best.shape == nullptr) return std::nullopt;
  return best;
}

}  // namespace ludens::server
