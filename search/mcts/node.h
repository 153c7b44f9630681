// A position in the tree of `mcts` and what the visits to it brought.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "gdl/machine/machine.h"

namespace ludens::search::mcts {

/// Index of a node in its tree.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();

/// A joint move of a node as one number: the indices of the roles' moves in mixed radix, role 0
/// running fastest.
using JointCode = std::uint32_t;

/// Bounds of a goal, 0..100.
struct Bounds {
  std::uint8_t low = 0, high = 100;
  [[nodiscard]] bool closed() const { return low == high; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What is known of one move of a role that has a choice.
struct Edge {
  std::uint32_t visits = 0;     // finished descents
  std::uint16_t in_flight = 0;  // descents on their way
  Bounds bounds;                // of the role's goal after the move, whatever the others do
  double sum = 0;               // of the role's goals, scaled to 0..1, over the visits
};

/// Statistics of one role at a node.
struct RoleStatistics {
  double sum = 0;                // of its goals, scaled to 0..1, over the node's visits
  std::uint32_t first_move = 0;  // of its legal moves among all of the node's
  std::uint32_t first_edge = 0;  // of its edges, if it has a choice
  Bounds bounds;                 // of its goal
};

/// What a machine tells of a position.
struct Facts {
  gdl::StateView state;
  bool terminal = false;
  std::span<const std::uint8_t> goals;    // [role], if terminal
  std::span<const gdl::MoveId> moves;     // of all roles, behind one another
  std::span<const std::uint32_t> begins;  // [role], one more at the end; may start anywhere
};

/// Owned by its tree, which also counts its memory: whatever allocates here says how much before.
/// The edges come with the second visit, since most nodes never see one; children stand in a hash
/// table from joint codes, which for few joint moves is a plain array.
class Node {
 public:
  std::uint32_t visits = 0;
  std::uint32_t in_flight = 0;
  std::uint16_t epoch = 0;  // of the machine whose state this is
  bool terminal = false;

  /// Fills an empty node.
  void fill(const Facts& facts, std::uint16_t machine_epoch);
  /// The same position as a state of another machine.
  void restate(gdl::StateView state, std::uint16_t machine_epoch);
  /// Gives all memory back; the node is empty then.
  void clear();
  /// Whether the legal moves are those of `facts`.
  [[nodiscard]] bool agrees_with(const Facts& facts) const;

  [[nodiscard]] std::size_t role_count() const { return roles_count_; }
  [[nodiscard]] gdl::StateView state() const { return gdl::StateView({words_.get(), word_count_}); }
  [[nodiscard]] RoleStatistics& role(gdl::RoleIndex r) { return roles_[r]; }
  [[nodiscard]] const RoleStatistics& role(gdl::RoleIndex r) const { return roles_[r]; }
  [[nodiscard]] std::uint32_t move_count(gdl::RoleIndex r) const {
    return roles_[r + 1].first_move - roles_[r].first_move;
  }
  [[nodiscard]] std::span<const gdl::MoveId> moves(gdl::RoleIndex r) const {
    return {moves_.get() + roles_[r].first_move, move_count(r)};
  }
  [[nodiscard]] bool decides(gdl::RoleIndex r) const { return move_count(r) > 1; }

  /// The number of joint moves; 0 if there are more than a code can number, and then the node
  /// never has children: with so many, none would be met again.
  [[nodiscard]] std::uint64_t joint_count() const;
  [[nodiscard]] std::uint32_t index_in(JointCode code, gdl::RoleIndex r) const;
  /// The moves behind a code, one a role.
  void decode(JointCode code, std::span<gdl::MoveId> out) const;
  /// The code of a joint move; false if it is not legal here.
  [[nodiscard]] bool encode(gdl::JointMove moves, JointCode& code) const;

  [[nodiscard]] bool grown() const { return grown_; }
  void grow();
  /// Empty for a role without a choice, and before the node has grown.
  [[nodiscard]] std::span<Edge> edges(gdl::RoleIndex r) {
    if (!grown_ || !decides(r)) return {};
    return {edges_.get() + roles_[r].first_edge, move_count(r)};
  }
  [[nodiscard]] std::span<const Edge> edges(gdl::RoleIndex r) const {
    return const_cast<Node*>(this)->edges(r);  // NOLINT: gives out const edges only
  }

  [[nodiscard]] std::uint32_t child_count() const { return child_count_; }
  [[nodiscard]] NodeId child(JointCode code) const;
  /// Whether `set_child` for a new code would have to enlarge the table, and by how many bytes.
  [[nodiscard]] std::size_t bytes_for_child() const;
  void set_child(JointCode code, NodeId child);
  template <typename Visitor>
  void for_each_child(Visitor&& visit) const {
    for (std::uint32_t i = 0; i < slot_count_; ++i) {
      if (slots_[i].node != kNoNode) visit(slots_[i].code, slots_[i].node);
    }
  }

  /// Heap memory that `fill` takes for these facts, that `grow` takes, and that the node holds.
  [[nodiscard]] static std::size_t bytes_for(const Facts& facts);
  [[nodiscard]] std::size_t bytes_for_growth() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Slot {
    JointCode code = 0;
    NodeId node = kNoNode;
  };
  [[nodiscard]] Slot& slot(JointCode code) const;

  bool grown_ = false;
  std::uint16_t roles_count_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint32_t child_count_ = 0;
  std::uint32_t slot_count_ = 0;             // a power of two
  std::unique_ptr<std::uint64_t[]> words_;   // the state
  std::unique_ptr<RoleStatistics[]> roles_;  // one more at the end, for the ends of the ranges
  std::unique_ptr<gdl::MoveId[]> moves_;     // [role's first move + index]
  std::unique_ptr<Edge[]> edges_;            // of the roles with a choice
  std::unique_ptr<Slot[]> slots_;
};

}  // namespace ludens::search::mcts
