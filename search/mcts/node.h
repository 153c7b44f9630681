// A position in the graph of `mcts` and what the visits to it brought.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "gdl/machine/machine.h"
#include "search/mcts/arena.h"

namespace ludens::search::mcts {

/// A node's block in the arena of its graph.
using NodeId = Ref;
inline constexpr NodeId kNoNode = kNoRef;

/// A joint move of a node as one number: the indices of the roles' moves in mixed radix, role 0
/// running fastest. Where one role has a choice, this is the index of its move.
using JointCode = std::uint32_t;

/// Bounds of a goal, 0..100.
struct Bounds {
  std::uint8_t low = 0, high = 100;
  [[nodiscard]] bool closed() const { return low == high; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What is known of one move of a role that has a choice.
struct Edge {
  float mean = 0;               // of the role's goals after the move, scaled to 0..1
  std::uint32_t visits = 0;     // finished descents
  NodeId child = kNoNode;       // where one role has a choice; else children have a table
  std::uint16_t in_flight = 0;  // descents on their way
  Bounds bounds;                // of the role's goal after the move, whatever the others do
};

/// The edges of a role at a node. `value` and `spread` are what selection reads of them (see
/// `score.h`); both have room up to the next multiple of four, filled so that it is never chosen.
struct EdgeList {
  float* value = nullptr;
  float* spread = nullptr;
  std::span<Edge> edges;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(edges.size()); }
};

/// What a machine tells of a position.
struct Facts {
  gdl::StateView state;
  bool terminal = false;
  std::span<const std::uint8_t> goals;    // [role], if terminal
  std::span<const gdl::MoveId> moves;     // of all roles, behind one another
  std::span<const std::uint32_t> begins;  // [role], one more at the end; may start anywhere
};

/// The head of a block; behind it, in the same block, stand sums, ranges of moves, bounds and moves
/// of all roles. The state and the edges have blocks of their own: the first because another
/// machine's is of another size, the second because most nodes are never visited twice.
class Node {
 public:
  std::uint32_t visits = 0;
  std::uint16_t in_flight = 0;
  std::uint16_t epoch = 0;  // of the machine whose state this is
  Ref edges = kNoRef;       // none before the second visit
  Ref state = kNoRef;
  NodeId next = kNoNode;          // in its bucket of the table of positions
  std::uint32_t hash = 0;         // of the state
  std::uint32_t child_count = 0;  // joint moves that lead to a node
  std::uint32_t state_words = 0;
  std::uint32_t ply = 0;  // joint moves from the beginning of the match

  /// How many bytes a block for these facts takes.
  [[nodiscard]] static std::size_t bytes_for(const Facts& facts);
  /// Fills a new block; without the state.
  void fill(const Facts& facts);
  [[nodiscard]] std::size_t bytes() const { return bytes(role_count_, move_total(), wide_moves_); }
  /// Whether the legal moves are those of `facts`.
  [[nodiscard]] bool agrees_with(const Facts& facts) const;

  [[nodiscard]] bool terminal() const { return terminal_; }
  [[nodiscard]] std::size_t role_count() const { return role_count_; }
  /// Of the role's goals over the node's visits, scaled to 0..1.
  [[nodiscard]] double& sum(gdl::RoleIndex r) { return sums()[r]; }
  [[nodiscard]] double sum(gdl::RoleIndex r) const { return sums()[r]; }
  [[nodiscard]] Bounds& bounds(gdl::RoleIndex r) { return all_bounds()[r]; }
  [[nodiscard]] const Bounds& bounds(gdl::RoleIndex r) const { return all_bounds()[r]; }
  [[nodiscard]] std::uint32_t move_count(gdl::RoleIndex r) const {
    return first_moves()[r + 1] - first_moves()[r];
  }
  [[nodiscard]] gdl::MoveId move(gdl::RoleIndex r, std::uint32_t i) const;
  [[nodiscard]] bool decides(gdl::RoleIndex r) const { return move_count(r) > 1; }

  /// Whether at most one role has a choice, and all have a move.
  [[nodiscard]] bool has_decider() const { return decider_ != kNobody; }
  /// The role that has the choice; the first where none has.
  [[nodiscard]] gdl::RoleIndex decider() const { return decider_; }
  /// The number of joint moves; 0 also if there are more than a code can number, and then the node
  /// never has children: with so many, none would be met again.
  [[nodiscard]] std::uint64_t joint_count() const {
    return has_decider() ? move_count(decider_) : product_of_counts();
  }
  [[nodiscard]] std::uint32_t index_in(JointCode code, gdl::RoleIndex r) const;
  /// The moves behind a code, one a role.
  void decode(JointCode code, std::span<gdl::MoveId> out) const;
  /// The code of a joint move; false if it is not legal here.
  [[nodiscard]] bool encode(gdl::JointMove moves, JointCode& code) const;

  /// Whether what selection reads of the edges heeds their bounds.
  [[nodiscard]] bool rated_by_bounds() const { return rated_by_bounds_; }
  void set_rated_by_bounds(bool by_bounds) { rated_by_bounds_ = by_bounds; }
  [[nodiscard]] std::uint8_t generation() const { return generation_; }
  void set_generation(std::uint8_t generation) { generation_ = generation; }

 private:
  static constexpr std::uint8_t kNobody = 255;

  [[nodiscard]] std::uint64_t product_of_counts() const;
  [[nodiscard]] static std::size_t bytes(std::size_t roles, std::size_t moves, bool wide);
  [[nodiscard]] std::uint32_t move_total() const { return first_moves()[role_count_]; }
  double* sums() { return reinterpret_cast<double*>(this + 1); }
  [[nodiscard]] const double* sums() const { return reinterpret_cast<const double*>(this + 1); }
  std::uint32_t* first_moves() { return reinterpret_cast<std::uint32_t*>(sums() + role_count_); }
  [[nodiscard]] const std::uint32_t* first_moves() const {
    return reinterpret_cast<const std::uint32_t*>(sums() + role_count_);
  }
  Bounds* all_bounds() { return reinterpret_cast<Bounds*>(first_moves() + role_count_ + 1); }
  [[nodiscard]] const Bounds* all_bounds() const {
    return reinterpret_cast<const Bounds*>(first_moves() + role_count_ + 1);
  }
  [[nodiscard]] const std::uint16_t* narrow_moves() const {
    return reinterpret_cast<const std::uint16_t*>(all_bounds() + role_count_);
  }

  std::uint8_t role_count_ = 0;
  std::uint8_t decider_ = 0;
  std::uint8_t generation_ = 0;  // of the last collection that saw it in use
  bool terminal_ : 1 = false;
  bool wide_moves_ : 1 = false;  // ids of moves take 32 bits
  bool rated_by_bounds_ : 1 = false;
};

static_assert(sizeof(Node) % alignof(double) == 0, "sums follow");

}  // namespace ludens::search::mcts
