// SPDX-License-Identifier: MIT
// The descents of a pass: their paths and their values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mcts/node.h"
#include "search/mcts/selection_policy.h"

namespace ludens::search::mcts {

/// A batch of descents in progress. Selection fills it on the way down, the evaluation of leaves
/// sets the values, and backpropagation adds these to the tree. Until then, or until they are
/// cancelled, the descents count as in flight on the nodes and edges of their paths. The object is
/// reused.
struct Descents {
  enum class End : std::uint8_t {
    None,     // the group continues
    Settled,  // at `node`, whose value is known
    Leaf,     // at `node`, whose tree can't grow: playouts start there
    Edge,     // after the last joint move, in a position without a node or state of this machine
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

  /// Descents that made the same joint moves so far.
  struct Group {
    NodeId node = kNoNode;
    std::uint32_t above = kNoGroup;  // the group that it is a part of
    JointCode code = 0;       // the joint move from there; `Graph::kNoPlace`: it stopped there, a
                              // leaf
    std::uint32_t first = 0;  // of its descents, which have consecutive numbers
    std::uint32_t count = 0;
    std::uint32_t first_part = 0;  // the groups into which it divided
    std::uint32_t part_count = 0;
    std::uint32_t depth = 0;
    float mean = 0;            // after backpropagation: the mean of the node for the role that
                               // decides above
    std::uint32_t visits = 0;  // of the node at that time; 0: there is no mean
    End end = End::None;
    bool refresh_due = false;  // after backpropagation: its node should ask for its bounds again
  };

  /// Consecutive numbers.
  struct Numbers {
    struct Iterator {
      std::uint32_t at;
      std::uint32_t operator*() const { return at; }
      Iterator& operator++() {
        ++at;
        return *this;
      }
      bool operator==(const Iterator&) const = default;
    };
    std::uint32_t first, count;
    [[nodiscard]] Iterator begin() const { return {first}; }
    [[nodiscard]] Iterator end() const { return {first + count}; }
  };

  std::size_t roles = 0;
  std::vector<Group> groups;    // from the root down, each after the one above it
  std::vector<double> values;   // [descent * roles + role]: goals, scaled to 0..1
  std::vector<Path> paths;      // [group], if paths guide the search; otherwise empty
  std::vector<double> chances;  // [group * roles + role]: the probability with which the role drew
                                // its move, if several drew theirs there by Exp3

  /// The numbers of a group's descents.
  [[nodiscard]] static Numbers members(const Group& group) { return {group.first, group.count}; }
  [[nodiscard]] std::span<const Group> parts(const Group& group) const {
    return std::span(groups).subspan(group.first_part, group.part_count);
  }
  /// The goals of all roles that a descent brings back.
  [[nodiscard]] std::span<double> value(std::uint32_t descent) {
    return std::span(values).subspan(descent * roles, roles);
  }
  /// The probability with which a role drew its part of a group's joint move; 1 if it is not known.
  [[nodiscard]] double chance(std::size_t group, gdl::RoleIndex role) const {
    const std::size_t i = group * roles + role;
    return i < chances.size() ? chances[i] : 1;
  }
  [[nodiscard]] const Path& path(std::uint32_t group) const {
    static constexpr Path kUnknown{};
    return paths.empty() ? kUnknown : paths[group];
  }
};

}  // namespace ludens::search::mcts
