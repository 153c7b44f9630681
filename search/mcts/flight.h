// The descents of a pass: from the root to its leaves, and, when they have a value, back.
#pragma once

#include <vector>

#include "search/mcts/selection.h"

namespace ludens::search::mcts {

/// Descents go down a level at a time, and those that go the same way do so together: a node is
/// looked at once for all that pass it, and the nodes of the next level are fetched from memory
/// while those of this one are worked on. Each descent still chooses by itself, after those before
/// it; they count as in flight on what they have passed until they land or are taken back.
class Flight {
 public:
  enum class End : std::uint8_t {
    None,     // the group went on
    Settled,  // at `node`, whose value is known
    Leaf,     // at `node`, whose tree can't grow: playouts start there
    Edge,     // after the last joint move, in a position without a node or state of this machine
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

  /// Descents that made the same joint moves so far.
  struct Group {
    NodeId node = kNoNode;
    std::uint32_t above = kNoGroup;  // the group that it is a part of
    JointCode code = 0;              // the joint move from there; kNoPlace: it stayed, a leaf
    std::uint32_t first = 0;         // of its descents, whose numbers follow one another
    std::uint32_t count = 0;
    std::uint32_t first_part = 0;  // groups that it divided into
    std::uint32_t part_count = 0;
    std::uint32_t depth = 0;
    float mean = 0;            // after landing, of the node for the role that decides above
    std::uint32_t visits = 0;  // of the node then; 0: there is no mean
    End end = End::None;
  };

  /// Numbers that follow one another.
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

  /// `count` descents by `Chooser`.
  void go_down(Graph& graph, const SelectionPolicy& policy, std::uint32_t count, gdl::Rng& rng);

  /// From the root down, each after the one above it.
  [[nodiscard]] std::span<Group> groups() { return groups_; }
  /// The numbers of a group's descents.
  [[nodiscard]] static Numbers members(const Group& group) { return {group.first, group.count}; }
  /// The goals of all roles that a descent brings back, scaled to 0..1.
  [[nodiscard]] std::span<double> value(std::uint32_t descent) {
    return std::span(values_).subspan(descent * roles_, roles_);
  }

  /// Backpropagation: all values are added to the nodes and edges on their ways, and to the leaf
  /// where a group has one. On its way up a value is brought within the bounds of each node, where
  /// the policy uses bounds: what is worse than a role can force there was its own bad move, and is
  /// not held against the moves that led there. An edge's mean is that of its child, which other
  /// ways may have led to, unless the child was pruned and knows less than the edge.
  void land(Graph& graph, const SelectionPolicy& policy);
  /// What is known of a group's way, where the search is guided by it.
  [[nodiscard]] const Way& way(std::uint32_t group) const {
    static constexpr Way kUnknown{};
    return ways_.empty() ? kUnknown : ways_[group];
  }
  /// No descent brings a value.
  void take_back(Graph& graph);

 private:
  void advance(Graph& graph, std::uint32_t index, const SelectionPolicy& policy, gdl::Rng& rng);
  void choose(Graph& graph, Node& node, const Group& group, const SelectionPolicy& policy,
              const Way& way, gdl::Rng& rng);
  void choose_jointly(Graph& graph, Node& node, const SelectionPolicy& policy, gdl::Rng& rng);
  void divide(Graph& graph, const Node& node, std::uint32_t index);
  void add_part(Graph& graph, const Node& node, std::uint32_t whole, JointCode code,
                std::uint32_t first, std::uint32_t count);
  void land_part(Graph& graph, Node& node, const Group& part, const SelectionPolicy& policy);
  void add_up(const Group& group);
  void clamp(const Group& group, const Node& node);
  [[nodiscard]] std::span<double> sums(const Group& group) {
    return std::span(sums_).subspan((&group - groups_.data()) * roles_, roles_);
  }
  [[nodiscard]] std::span<const Group> parts(const Group& group) const {
    return std::span(groups_).subspan(group.first_part, group.part_count);
  }

  std::size_t roles_ = 0;
  std::vector<Group> groups_;
  std::vector<double> values_;         // [descent * roles + role]
  std::vector<double> sums_;           // [group * roles + role]: of its descents' values
  std::vector<Way> ways_;              // [group], or nothing
  std::vector<Effort> efforts_;        // [group], or nothing: of its node, after landing
  std::vector<JointCode> chosen_;      // by the group that is advancing
  std::vector<std::uint32_t> places_;  // of one role there
  std::vector<std::uint32_t> tally_;   // [code]: how many chose it
  Chooser chooser_;
};

}  // namespace ludens::search::mcts
