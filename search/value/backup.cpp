// SPDX-License-Identifier: MIT
#include "search/value/backup.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ludens::search::value {

namespace {

/// From the worst to the best that the children bring a role.
Bounds range_of(Node& node, gdl::RoleIndex role) {
  Bounds range{100, 0};
  for (const Bounds child : node.bounds(role)) {
    range.low = std::min(range.low, child.low);
    range.high = std::max(range.high, child.high);
  }
  return range;
}

Bounds mean_of(Node& node, gdl::RoleIndex role) {
  std::uint64_t low = 0, high = 0;
  for (const Bounds child : node.bounds(role)) {
    low += child.low;
    high += child.high;
  }
  const std::uint64_t count = node.child_count();
  return {static_cast<std::uint8_t>(low / count),
          static_cast<std::uint8_t>((high + count - 1) / count)};
}

/// The bounds of the role that chooses, and those of the others.
Bounds in_turn(Node& node, gdl::RoleIndex role, bool adversaries) {
  if (role == node.decider) return best_bounds(node);
  Bounds range = range_of(node, role);
  if (!adversaries) return range;
  for (const Bounds child : node.bounds(role)) range.high = std::min(range.high, child.high);
  return range;
}

bool looks_at_all(Node& node) {
  std::uint64_t joint = 1;
  const auto begins = node.option_begins();
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    joint *= begins[r + 1] - begins[r];
    if (joint > node.child_count()) return false;
  }
  return true;
}

Bounds at_once(Node& node, gdl::RoleIndex role) {
  if (!looks_at_all(node)) return {};
  const std::uint32_t first = node.option_begins()[role];
  std::vector<Bounds> options(node.option_begins()[role + 1] - first, Bounds{100, 0});
  const auto bounds = node.bounds(role);
  for (std::uint32_t child = 0; child < node.child_count(); ++child) {
    Bounds& option = options[node.place(child)[role] - first];
    option.low = std::min(option.low, bounds[child].low);
    option.high = std::max(option.high, bounds[child].high);
  }
  Bounds best{0, 0};
  for (const Bounds option : options) {
    best.low = std::max(best.low, option.low);
    best.high = std::max(best.high, option.high);
  }
  return best;
}

Bounds bounds_of(Node& node, gdl::RoleIndex role, bool adversaries) {
  switch (node.kind) {
    case Kind::Turn:
      return in_turn(node, role, adversaries);
    case Kind::Chance:
      return mean_of(node, role);
    case Kind::AtOnce:
      return at_once(node, role);
  }
  return {};
}

float weighted_mean(Node& node, gdl::RoleIndex role) {
  const auto values = node.values(role);
  const auto visits = node.child_visits();
  const auto priors = node.priors();
  float sum = 0, weights = 0;
  for (std::uint32_t child = 0; child < values.size(); ++child) {
    const float weight = static_cast<float>(visits[child]) + priors[child];
    sum += weight * values[child];
    weights += weight;
  }
  return sum / weights;
}

float mean_value(Node& node, gdl::RoleIndex role) {
  const auto values = node.values(role);
  return std::reduce(values.begin(), values.end()) / static_cast<float>(values.size());
}

}  // namespace

Bounds best_bounds(Node& node) {
  Bounds best{0, 0};
  for (const Bounds child : node.bounds(node.decider)) {
    best.low = std::max(best.low, child.low);
    best.high = std::max(best.high, child.high);
  }
  return best;
}

void refresh(Node& node, bool adversaries) {
  const auto values = node.own_values();
  const auto bounds = node.own_bounds();
  const auto deciders = node.values(node.decider);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(deciders) - deciders.begin());
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    // What was proved stays proved.
    if (node.bounded) bounds[r] = mcts::both(bounds[r], bounds_of(node, r, adversaries));
    const float value = node.kind == Kind::Turn     ? node.values(r)[best]
                        : node.kind == Kind::Chance ? mean_value(node, r)
                                                    : weighted_mean(node, r);
    values[r] = within(bounds[r], value);
  }
}

}  // namespace ludens::search::value
