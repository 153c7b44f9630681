// SPDX-License-Identifier: MIT
#include "server/board/arrangement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ludens::server {

namespace {

using Names = std::vector<std::string>;

/// A permutation of fewer things is treated as an ordinary tuple; so is a tower of two.
constexpr std::size_t kMinStack = 4;
constexpr std::ptrdiff_t kMinTower = 3;

/// Coordinates in separate fluents have at least this many values, and at most as many as can be
/// drawn.
constexpr std::size_t kMinAxis = 6, kMaxAxis = 60;

Fact square(std::string column, std::string row, std::string thing) {
  return {"", {std::move(column), std::move(row), std::move(thing)}};
}

Names numbers(std::size_t count) {
  Names names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// The initial facts of the shape.
std::vector<Fact> facts_of(const std::vector<Fact>& facts, const FluentShape& shape) {
  std::vector<Fact> some;
  std::copy_if(facts.begin(), facts.end(), std::back_inserter(some),
               [&](const Fact& fact) { return is_of(fact, shape); });
  return some;
}

/// The towers of `(on x y)`: which thing is on which, and which is never on top.
class Towers {
 public:
  Towers(std::string on, std::string floor, Names columns, std::set<std::string> things)
      : on_(std::move(on)),
        floor_(std::move(floor)),
        columns_(std::move(columns)),
        things_(std::move(things)) {}

  std::vector<Fact> operator()(std::vector<Fact> facts) const {
    std::map<std::string, std::string> above;
    std::set<std::string> standing, on_floor;
    for (const Fact& fact : facts) {
      if (fact.name == on_ && fact.arguments.size() == 2) {
        above.emplace(fact.arguments[1], fact.arguments[0]);
        standing.insert(fact.arguments[0]);
      }
      if (fact.name == floor_ && fact.arguments.size() == 1) on_floor.insert(fact.arguments[0]);
    }
    std::vector<Fact> squares;
    std::set<std::string> shown;
    for (const std::string& column : columns_) {
      std::size_t height = 0;
      const bool bottom = things_.contains(column);
      if (bottom && (standing.contains(column) || (!floor_.empty() && !on_floor.contains(column))))
        continue;
      if (bottom) squares.push_back(square(column, std::to_string(++height), column));
      for (auto it = above.find(column); it != above.end(); it = above.find(it->second)) {
        if (!shown.insert(it->second).second) break;
        squares.push_back(square(column, std::to_string(++height), it->second));
      }
    }
    std::erase_if(facts, [&](const Fact& fact) {
      const bool is_on = fact.name == on_ && fact.arguments.size() == 2;
      if (is_on)
        return shown.contains(fact.arguments[0]) &&
               above.at(fact.arguments[1]) == fact.arguments[0];
      return !floor_.empty() && fact.name == floor_ && fact.arguments.size() == 1 &&
             std::find(columns_.begin(), columns_.end(), fact.arguments[0]) != columns_.end() &&
             !standing.contains(fact.arguments[0]);
    });
    facts.insert(facts.end(), squares.begin(), squares.end());
    return facts;
  }

 private:
  std::string on_, floor_;
  Names columns_;
  std::set<std::string> things_;
};

/// The fluent of one argument that names exactly these initially.
const FluentShape* naming(const std::vector<FluentShape>& shapes, const std::vector<Fact>& initial,
                          const std::set<std::string>& names) {
  for (const FluentShape& shape : shapes) {
    if (shape.arguments.size() != 1) continue;
    std::set<std::string> named;
    for (const Fact& fact : facts_of(initial, shape)) named.insert(fact.arguments[0]);
    if (!names.empty() && named == names) return &shape;
  }
  return nullptr;
}

/// If everything is on something larger: the things by size, the smallest first.
std::optional<Names> by_size(const std::vector<Fact>& pairs, const Names& things,
                             const gdl::Orders& orders) {
  auto order = orders.order(things);
  if (!order) return std::nullopt;
  const auto place = [&](const std::string& name) {
    return std::find(order->begin(), order->end(), name) - order->begin();
  };
  std::ptrdiff_t up = 0, down = 0;
  for (const Fact& on : pairs) {
    if (place(on.arguments[1]) == std::ssize(*order)) continue;  // on the floor
    (place(on.arguments[0]) < place(on.arguments[1]) ? down : up) += 1;
  }
  if (std::max(up, down) + 1 < kMinTower || std::min(up, down) > 0) {
    return std::nullopt;
  }
  if (up > 0) std::reverse(order->begin(), order->end());
  return order;
}

std::optional<Arrangement> towers(const FluentShape& on, const std::vector<FluentShape>& shapes,
                                  const std::vector<Fact>& initial, const gdl::Orders& orders) {
  const std::vector<Fact> pairs = facts_of(initial, on);
  if (on.arguments.size() != 2 || pairs.empty() || !distinct(pairs, on, {0})) return std::nullopt;
  if (!distinct(pairs, on, {1})) return std::nullopt;  // no thing has two on it
  std::set<std::string> all, standing, carrying;
  for (const Names& names : on.arguments) all.insert(names.begin(), names.end());
  for (const Fact& fact : pairs) {
    standing.insert(fact.arguments[0]);
    carrying.insert(fact.arguments[1]);
  }
  std::set<std::string> tops, bottoms;
  const std::set<std::string> things(on.arguments[0].begin(), on.arguments[0].end());
  for (const std::string& name : all) {
    if (!carrying.contains(name)) tops.insert(name);
    if (things.contains(name) && !standing.contains(name)) bottoms.insert(name);
  }
  if (naming(shapes, initial, tops) == nullptr) return std::nullopt;
  const FluentShape* floor = naming(shapes, initial, bottoms);
  Arrangement out;
  for (const std::string& name : on.arguments[1]) {
    if (!things.contains(name)) out.columns.push_back(name);
  }
  if (out.columns.empty()) out.columns = on.arguments[0];
  out.things = on.arguments[0];
  if (auto sizes = by_size(pairs, out.things, orders)) {
    out.things = *sizes;
    out.sized = true;
  }
  std::sort(out.columns.begin(), out.columns.end());
  out.rows = numbers(things.size());
  out.squares = Towers(on.name, floor != nullptr ? floor->name : "", out.columns, things);
  return out;
}

std::optional<Arrangement> stack(const FluentShape& shape, const std::vector<Fact>& initial,
                                 const gdl::Orders& orders) {
  const std::vector<Fact> facts = facts_of(initial, shape);
  const std::size_t size = shape.arguments.size();
  if (size < kMinStack || facts.size() != 1) return std::nullopt;
  Names things = facts.front().arguments;
  std::sort(things.begin(), things.end());
  for (const Names& names : shape.arguments) {
    if (std::set<std::string>(names.begin(), names.end()) !=
        std::set<std::string>(things.begin(), things.end())) {
      return std::nullopt;
    }
  }
  if (std::adjacent_find(things.begin(), things.end()) != things.end()) return std::nullopt;
  Arrangement out{{shape.name}, numbers(size), things, false, {}};
  if (auto order = orders.order(things)) {
    out.things = *order;
    out.sized = true;
  }
  // The first argument on top.
  out.squares = [name = shape.name, size](std::vector<Fact> facts_now) {
    std::vector<Fact> squares;
    for (Fact& fact : facts_now) {
      if (fact.name != name || fact.arguments.size() != size) {
        squares.push_back(std::move(fact));
        continue;
      }
      for (std::size_t i = 0; i < size; ++i) {
        squares.push_back(square(name, std::to_string(size - i), fact.arguments[i]));
      }
    }
    return squares;
  };
  return out;
}

/// Whether the value of the fluent is a role's goal in the end.
bool is_goal(const gdl::Rules& rules, const FluentShape& shape) {
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head != gdl::kGoal) continue;
    for (const gdl::Literal& literal : rule.body) {
      if (literal.relation != gdl::kTrue) continue;
      const gdl::Term fluent = literal.arguments[0];
      if (rules.terms.kind(fluent) != gdl::Terms::Kind::Compound ||
          rules.symbols.folded(rules.terms.value(fluent)) != shape.name) {
        continue;
      }
      const auto arguments = rules.terms.arguments(fluent);
      if (arguments.size() == shape.arguments.size() && arguments.back() == rule.arguments[1]) {
        return true;
      }
    }
  }
  return false;
}

/// Two fluents that hold the coordinates of one thing, or of one thing for each key.
struct Axes {
  std::string across, up, thing;
  bool keyed = false;
};

std::vector<Fact> join_axes(const std::vector<Axes>& axes, std::vector<Fact> facts) {
  std::vector<Fact> squares;
  for (const Axes& pair : axes) {
    const std::size_t arity = pair.keyed ? 2 : 1;
    std::map<std::string, std::string> across, up;  // by key
    for (const Fact& fact : facts) {
      if (fact.arguments.size() != arity) continue;
      if (fact.name == pair.across) across[fact.arguments.front()] = fact.arguments.back();
      if (fact.name == pair.up) up[fact.arguments.front()] = fact.arguments.back();
    }
    if (!pair.keyed && across.size() == 1 && up.size() == 1) {
      up = {{across.begin()->first, up.begin()->second}};
    }
    std::erase_if(facts, [&](const Fact& fact) {
      const bool of_pair =
          fact.arguments.size() == arity && (fact.name == pair.across || fact.name == pair.up);
      const bool both = !pair.keyed ? across.size() == 1 && up.size() == 1
                                    : across.contains(fact.arguments.front()) &&
                                          up.contains(fact.arguments.front());
      return of_pair && both;
    });
    for (const auto& [key, column] : across) {
      const auto row = up.find(key);
      if (row != up.end())
        squares.push_back(square(column, row->second, pair.keyed ? key : pair.thing));
    }
  }
  facts.insert(facts.end(), squares.begin(), squares.end());
  return facts;
}

}  // namespace

FluentShape shape_of(const Arrangement& arrangement) {
  return {
      "", {arrangement.columns, arrangement.rows, arrangement.things}, {false, false, false}, true};
}

BoardLayout layout_of(const Arrangement& arrangement) {
  BoardLayout layout;
  layout.geometry.columns = arrangement.columns;
  layout.geometry.rows.assign(arrangement.rows.rbegin(), arrangement.rows.rend());
  layout.placements.push_back({"", 3, {0}, {1}, {}, {2}, true});
  return layout;
}

std::optional<Arrangement> find_piles(const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial, const gdl::Orders& orders) {
  for (const FluentShape& shape : shapes) {
    if (auto found = towers(shape, shapes, initial, orders)) return found;
    if (auto found = stack(shape, initial, orders)) return found;
  }
  return std::nullopt;
}

std::optional<Arrangement> find_coordinates(const gdl::Rules& rules,
                                            const std::vector<FluentShape>& shapes,
                                            const std::vector<Fact>& initial,
                                            const gdl::Orders& orders) {
  // Fluents by the values that they take, in the order of the text.
  std::map<std::pair<Names, std::size_t>, std::vector<const FluentShape*>> alike;
  for (const FluentShape& shape : shapes) {
    const std::size_t arity = shape.arguments.size();
    const std::vector<Fact> facts = facts_of(initial, shape);
    if (arity < 1 || arity > 2 || facts.empty() || !distinct(facts, shape, {0})) continue;
    if ((arity == 1 && facts.size() != 1) || is_goal(rules, shape)) continue;
    const auto order = orders.order(shape.arguments.back());
    if (order && order->size() >= kMinAxis && order->size() <= kMaxAxis) {
      alike[{*order, arity}].push_back(&shape);
    }
  }
  Arrangement out;
  std::vector<Axes> axes;
  for (const auto& [kind, fluents] : alike) {
    if (fluents.size() % 2 != 0 || kind.first.size() <= out.columns.size()) continue;
    out.columns = out.rows = kind.first;
    out.things.clear();
    axes.clear();
    for (std::size_t i = 0; i < fluents.size(); i += 2) {
      const bool keyed = kind.second == 2;
      const bool alone = fluents.size() == 2 && rules.roles.size() == 1;
      const std::string thing = alone ? gdl::fold_case(rules.print(rules.roles[0]))
                                      : fluents[i]->name + " " + fluents[i + 1]->name;
      axes.push_back({fluents[i]->name, fluents[i + 1]->name, thing, keyed});
      if (!keyed) out.things.push_back(thing);
      if (keyed) out.things = fluents[i]->arguments[0];
    }
  }
  if (axes.empty()) return std::nullopt;
  out.squares = [axes](std::vector<Fact> facts) { return join_axes(axes, std::move(facts)); };
  return out;
}

}  // namespace ludens::server
