// SPDX-License-Identifier: MIT
// A position in the graph of `mcts` and the results of its visits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "gdl/machine/machine.h"
#include "search/mcts/arena.h"
#include "search/mcts/listed.h"
#include "search/mcts/spin_lock.h"

namespace ludens::search::mcts {

/// A node's block in the arena of its graph.
using NodeId = Ref;
inline constexpr NodeId kNoNode = kNoRef;

/// A joint move of a node as one number: the places of the roles' moves in mixed radix, role 0
/// running fastest. If one role has a choice, this is the place of its move.
using JointCode = std::uint32_t;

/// Bounds of a goal, 0..100.
struct alignas(2) Bounds {
  std::uint8_t low = 0, high = 100;
  [[nodiscard]] bool closed() const { return low == high; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What follows if both are true.
inline Bounds both(Bounds a, Bounds b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// What is known about one move of a role that has a choice: the move at the same place.
struct Edge {
  float mean = 0;            // of the role's goals after the move, scaled to 0..1
  std::uint32_t visits = 0;  // finished descents
  union {
    Ref link = kNoRef;  // if one role has a choice: a child, or a bound; otherwise children have a
    float cumulative;   // table, and this is regret or gain, for the rules of `simultaneous.h`
  };
  std::uint16_t in_flight = 0;  // descents in progress
  Bounds bounds;                // of the role's goal after the move, whatever the others do

  [[nodiscard]] NodeId child() const { return link < Arena::kFirstRef ? kNoNode : link; }
  /// What the only other player can force after the move, as far as a pruned child has shown it.
  [[nodiscard]] std::uint8_t others_low() const {
    return static_cast<std::uint8_t>(link < Arena::kFirstRef ? link : 0);
  }
  void drop_child(std::uint8_t others_low) { link = others_low; }
};
static_assert(sizeof(Edge) == 16, "selection reads it as four words");
static_assert(Arena::kFirstRef > 100, "a link below it is a bound");

/// What a machine reports about a position.
struct Facts {
  gdl::StateView state;
  bool terminal = false;
  std::span<const std::uint8_t> goals;    // [role], if terminal
  std::span<const gdl::MoveId> moves;     // of all roles, stored contiguously
  std::span<const std::uint32_t> begins;  // [role], one more at the end; may start anywhere
};

/// The head of a block. It is followed, in the same block, by sums, bounds, ranges of moves, moves
/// of all roles, and the state. Edges have a separate block, since most nodes are never visited
/// twice, and so has the state of another machine, which may have another size.
///
/// The moves of a role that has a choice are in the order in which they were first tried, followed
/// by untried ones in any order.
///
/// `busy` guards everything else that changes, except `next`, `generation` and bounds: see `Graph`.
class Node : public Listed {
 public:
  /// There are no nodes for states longer than this.
  static constexpr std::size_t kMostStateWords = 65535;
  /// Nor for more roles than this.
  static constexpr std::size_t kMostRoles = 255;
  /// Selection reads visits as signed numbers.
  static constexpr std::uint32_t kMostVisits = 0x7fffffff;

  std::uint32_t visits = 0;
  Ref edges = kNoRef;  // none before the second visit
  /// The number of the decider's moves that have an edge; if several decide, it is in the edges'
  /// block.
  std::uint32_t tried = 0;
  std::uint16_t in_flight = 0;
  std::uint8_t epoch = 0;  // of the machine whose state this is
  SpinLock busy;
  std::uint16_t ply = 0;        // joint moves from the beginning of the match, modulo 2^16
  std::uint8_t generation = 0;  // of the last collection that saw it in use

  /// The size in bytes of a block for these facts.
  [[nodiscard]] static std::size_t bytes_for(const Facts& facts);
  /// Fills a new block.
  void fill(const Facts& facts);
  /// Without the blocks of its edges and of a state that is stored elsewhere.
  [[nodiscard]] std::size_t bytes() const;
  /// Whether the legal moves are those of `facts`, in any order.
  [[nodiscard]] bool agrees_with(const Facts& facts) const;

  [[nodiscard]] bool terminal() const { return has(kTerminal); }
  [[nodiscard]] std::size_t role_count() const { return role_count_; }
  /// The sum of the role's goals over the node's visits, scaled to 0..1.
  [[nodiscard]] double& sum(gdl::RoleIndex r) { return sums()[r]; }
  [[nodiscard]] double sum(gdl::RoleIndex r) const { return sums()[r]; }
  /// One half before the first visit.
  [[nodiscard]] float mean(gdl::RoleIndex r) const {
    return visits > 0 ? static_cast<float>(sum(r) / visits) : 0.5F;
  }
  /// Bounds only become tighter, and may be read while another thread tightens them.
  [[nodiscard]] Bounds bounds(gdl::RoleIndex r) const {
    return std::atomic_ref(all_bounds()[r]).load(std::memory_order_relaxed);
  }
  void set_bounds(gdl::RoleIndex r, Bounds bounds) {
    std::atomic_ref(all_bounds()[r]).store(bounds, std::memory_order_relaxed);
  }
  /// False if that was known. What was proved stays proved, although children on which it depends
  /// may have been pruned.
  bool tighten(gdl::RoleIndex r, Bounds by) {
    const Bounds before = bounds(r);
    const Bounds after = both(before, by);
    if (after != before) set_bounds(r, after);
    return after != before;
  }
  [[nodiscard]] std::uint32_t move_count(gdl::RoleIndex r) const {
    return range_end(r) - range_begin(r);
  }
  [[nodiscard]] gdl::MoveId move(gdl::RoleIndex r, std::uint32_t i) const;
  void swap_moves(gdl::RoleIndex r, std::uint32_t i, std::uint32_t j);
  [[nodiscard]] bool decides(gdl::RoleIndex r) const { return move_count(r) > 1; }

  /// Whether at most one role has a choice, and all have a move.
  [[nodiscard]] bool has_decider() const { return decider_ != kNobody; }
  /// The role that has the choice; the first role if none has.
  [[nodiscard]] gdl::RoleIndex decider() const { return decider_; }
  /// The number of joint moves; also 0 if there are more than a code can number. Then the node
  /// never has children: with that many, none would be visited again.
  [[nodiscard]] std::uint64_t joint_count() const {
    return has_decider() ? move_count(decider_) : product_of_counts();
  }
  [[nodiscard]] std::uint32_t index_in(JointCode code, gdl::RoleIndex r) const;
  /// The moves of a code, one per role.
  void decode(JointCode code, std::span<gdl::MoveId> out) const;
  /// The code of a joint move; false if it is not legal here.
  [[nodiscard]] bool encode(gdl::JointMove moves, JointCode& code) const;

  /// Whether anything is proved about this node or one of the moves.
  [[nodiscard]] bool bounded() const { return has(kBounded); }
  void set_bounded() { set(kBounded, true); }

  /// Whether the visits include those with which the node began.
  [[nodiscard]] bool has_prior() const { return has(kPrior); }
  void set_prior() { set(kPrior, true); }

  /// The state in this block; or, if another machine's state was too large for it, what replaces
  /// it.
  [[nodiscard]] std::span<std::uint64_t> state_room() {
    return {reinterpret_cast<std::uint64_t*>(begin() + state_at()), state_words_};
  }
  [[nodiscard]] std::span<const std::uint64_t> state_room() const {
    return {reinterpret_cast<const std::uint64_t*>(begin() + state_at()), state_words_};
  }
  [[nodiscard]] bool has_state_elsewhere() const { return has(kStateElsewhere); }
  void set_state_elsewhere(bool elsewhere) { set(kStateElsewhere, elsewhere); }

 private:
  static constexpr std::uint8_t kNobody = 255;
  static constexpr std::uint8_t kTerminal = 1;
  static constexpr std::uint8_t kWide = 2;  // numbers take four bytes
  static constexpr std::uint8_t kBounded = 4;
  static constexpr std::uint8_t kStateElsewhere = 8;
  static constexpr std::uint8_t kPrior = 16;

  /// Set by the thread that holds the node; some are read without holding it.
  [[nodiscard]] bool has(std::uint8_t flag) const {
    return (flags_.load(std::memory_order_relaxed) & flag) != 0;
  }
  void set(std::uint8_t flag, bool on) {
    const auto others = flags_.load(std::memory_order_relaxed) & ~flag;
    flags_.store(static_cast<std::uint8_t>(on ? others | flag : others), std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t product_of_counts() const;
  [[nodiscard]] std::byte* begin() { return reinterpret_cast<std::byte*>(this); }
  [[nodiscard]] const std::byte* begin() const { return reinterpret_cast<const std::byte*>(this); }
  double* sums() { return reinterpret_cast<double*>(this + 1); }
  [[nodiscard]] const double* sums() const { return reinterpret_cast<const double*>(this + 1); }
  Bounds* all_bounds() { return reinterpret_cast<Bounds*>(sums() + role_count_); }
  /// `std::atomic_ref` does not take a constant object, although it is only read.
  Bounds* all_bounds() const { return const_cast<Node*>(this)->all_bounds(); }
  /// The ends of the roles' ranges of moves, then the moves: numbers of two bytes, or of four.
  [[nodiscard]] std::byte* numbers() {
    return reinterpret_cast<std::byte*>(all_bounds() + role_count_);
  }
  [[nodiscard]] std::uint32_t number(std::size_t i) const;
  void set_number(std::size_t i, std::uint32_t value);
  [[nodiscard]] std::uint32_t range_begin(gdl::RoleIndex r) const {
    return r == 0 ? 0 : number(r - 1);
  }
  [[nodiscard]] std::uint32_t range_end(gdl::RoleIndex r) const { return number(r); }
  [[nodiscard]] std::size_t state_at() const;
  [[nodiscard]] static std::size_t bytes_before_state(std::size_t roles, std::size_t moves,
                                                      bool wide);

  std::uint8_t role_count_ = 0;
  std::uint8_t decider_ = 0;
  std::atomic<std::uint8_t> flags_{0};
  std::uint16_t state_words_ = 0;
};
static_assert(sizeof(Node) == 32);

inline std::uint32_t Node::number(std::size_t i) const {
  const std::byte* const at = const_cast<Node*>(this)->numbers();
  if (!has(kWide)) return reinterpret_cast<const std::uint16_t*>(at)[i];
  std::uint32_t value = 0;
  std::memcpy(&value, at + i * sizeof value, sizeof value);
  return value;
}

inline gdl::MoveId Node::move(gdl::RoleIndex r, std::uint32_t i) const {
  return number(role_count_ + range_begin(r) + i);
}

}  // namespace ludens::search::mcts
