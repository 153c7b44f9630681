// SPDX-License-Identifier: MIT
// A position in the tree of `value`: its joint moves, and what is known about each.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "gdl/machine/machine.h"
#include "search/mcts/arena.h"
#include "search/mcts/listed.h"
#include "search/mcts/node.h"
#include "search/mcts/spin_lock.h"

namespace ludens::search::value {

using mcts::Bounds;

/// A node's block in the arena of its tree.
using NodeId = mcts::Ref;
inline constexpr NodeId kNoNode = mcts::kNoRef;
/// Stands for a child that a running descent is about to make.
inline constexpr NodeId kInTheMaking = ~NodeId{0};

/// Which roles choose in a position.
enum class Kind : std::uint8_t {
  Turn,    // at most one role
  Chance,  // only the role `random`
  AtOnce,  // several roles
};

/// A goal as a value.
inline float value_of(std::uint8_t goal) {
  return 0.01F * static_cast<float>(goal);
}
/// The value that the bounds allow which is closest to this one.
inline float within(Bounds bounds, float value) {
  return std::clamp(value, value_of(bounds.low), value_of(bounds.high));
}

/// What determines the size of a node.
struct Shape {
  std::uint32_t children = 0;  // joint moves that are considered
  std::uint32_t options = 0;   // of all roles together; 0 except for `AtOnce`
  std::uint32_t words = 0;     // of the state
  std::uint32_t roles = 0;
};

/// The head of a block. It is followed by the state and by the data of each child. All children are
/// evaluated when the node is made, so that each has a value for each role before it is first
/// visited. A child becomes a separate node once a descent continues from there.
///
/// Values are goals of the roles scaled to 0..1. `value` of a child is the minimax value of the
/// tree below it; `mean`, for the decider, is the mean of the descents through it. `own_means` are
/// those of the values that finished descents carried on upwards.
///
/// If several roles choose simultaneously, each has its own `Options`, with statistics over all
/// joint moves that contain them, and `place` says which options form a joint move.
class alignas(std::uint64_t) Node : public mcts::Listed {
 public:
  /// A search ends before a position has more visits: counts of them have room for those of several
  /// threads.
  static constexpr std::uint32_t kMostVisits = 0x7fffffff;

  std::uint32_t visits = 0;     // descents that chose here
  std::uint16_t in_flight = 0;  // those of them in progress
  Kind kind = Kind::Turn;
  bool bounded = false;        // something is proved about a child
  gdl::RoleIndex decider = 0;  // the role that chooses; if none or several do, the first
  /// Guards what changes while several threads search the tree: visits, means, values, bounds and
  /// children.
  mcts::SpinLock lock;
  /// The edges that lead here, and one more if this is the root. Only `Tree` changes this and the
  /// next two.
  std::atomic<std::uint32_t> links{0};
  bool dying = false;           // listed to be freed, if no edge leads here by then
  std::uint8_t generation = 0;  // of the last pruning that came by
  std::uint16_t ply = 0;        // joint moves from the beginning of the match, modulo 2^16

  [[nodiscard]] static std::size_t bytes_for(const Shape& shape);
  [[nodiscard]] std::size_t bytes() const { return bytes_for(shape_); }
  /// Makes an empty node in a new block.
  static Node& make(std::byte* block, const Shape& shape);

  [[nodiscard]] std::uint32_t child_count() const { return shape_.children; }
  [[nodiscard]] std::uint32_t option_count() const { return shape_.options; }
  [[nodiscard]] std::uint32_t role_count() const { return shape_.roles; }

  [[nodiscard]] std::span<std::uint64_t> state() { return {at<std::uint64_t>(0), shape_.words}; }
  /// [child]; the following are by child, too, unless stated otherwise.
  [[nodiscard]] std::span<NodeId> children() { return column<NodeId>(0); }
  [[nodiscard]] std::span<std::uint32_t> child_visits() { return column<std::uint32_t>(1); }
  [[nodiscard]] std::span<float> priors() { return column<float>(2); }  // of the decider's choice
  [[nodiscard]] std::span<float> means() { return column<float>(3); }
  [[nodiscard]] std::span<gdl::MoveId> moves() { return column<gdl::MoveId>(4); }  // the decider's
  [[nodiscard]] std::span<float> values(gdl::RoleIndex role) { return column<float>(5 + role); }
  /// [role]: those of this node.
  [[nodiscard]] std::span<float> own_values() { return {word_at(own_at()), shape_.roles}; }
  [[nodiscard]] std::span<float> own_means() {
    return {word_at(own_at() + shape_.roles), shape_.roles};
  }
  /// [role]: the first legal move, which is the only one of a role that does not choose.
  [[nodiscard]] std::span<gdl::MoveId> first_moves() {
    return {reinterpret_cast<gdl::MoveId*>(word_at(own_at() + 2 * shape_.roles)), shape_.roles};
  }
  /// [role], one more at the end: where the role's options begin.
  [[nodiscard]] std::span<std::uint32_t> option_begins() {
    return {reinterpret_cast<std::uint32_t*>(word_at(own_at() + 3 * shape_.roles)),
            shape_.options == 0 ? 0 : shape_.roles + 1};
  }
  [[nodiscard]] std::span<gdl::MoveId> option_moves() { return option_column<gdl::MoveId>(0); }
  [[nodiscard]] std::span<std::uint32_t> option_visits() { return option_column<std::uint32_t>(1); }
  [[nodiscard]] std::span<float> option_priors() { return option_column<float>(2); }
  [[nodiscard]] std::span<float> option_means() { return option_column<float>(3); }  // of the role
  /// [role] of a child: the number of its option.
  [[nodiscard]] std::span<std::uint32_t> place(std::uint32_t child) {
    return {
        reinterpret_cast<std::uint32_t*>(word_at(places_at())) + std::size_t{child} * shape_.roles,
        shape_.roles};
  }
  [[nodiscard]] std::span<Bounds> bounds(gdl::RoleIndex role) {
    return {all_bounds() + std::size_t{role} * shape_.children, shape_.children};
  }
  /// [role]: those of this node.
  [[nodiscard]] std::span<Bounds> own_bounds() {
    return {all_bounds() + std::size_t{shape_.roles} * shape_.children, shape_.roles};
  }

  /// Whether `role` has more than one move here.
  [[nodiscard]] bool chooses(gdl::RoleIndex role) {
    if (kind != Kind::AtOnce) return role == decider && shape_.children > 1;
    const auto begins = option_begins();
    return begins[role + 1] - begins[role] > 1;
  }
  /// The value of an option for its role: the mean of the children that contain it.
  [[nodiscard]] float option_value(gdl::RoleIndex role, std::uint32_t option);
  /// The moves that lead to a child, one per role.
  void joint_move(std::uint32_t child, std::span<gdl::MoveId> out);
  /// The child that a joint move leads to; `child_count()` if it is not among those considered.
  [[nodiscard]] std::uint32_t find(gdl::JointMove moves);
  /// Whether there is nothing left to find out about a child: it is the end of the game, or
  /// equivalent to that.
  [[nodiscard]] bool settled(std::uint32_t child) {
    for (gdl::RoleIndex r = 0; bounded && r < shape_.roles; ++r) {
      if (!bounds(r)[child].closed()) return false;
    }
    return bounded;
  }
  [[nodiscard]] bool settled() {
    for (const Bounds own : own_bounds()) {
      if (!own.closed()) return false;
    }
    return true;
  }
  /// Whether there is nothing left to find out for a role that looks for its move: the goals of the
  /// others may still be open where it alone chooses and its own goal is proved.
  [[nodiscard]] bool settled_for(gdl::RoleIndex role) {
    return settled() || (kind == Kind::Turn && decider == role && own_bounds()[role].closed());
  }

 private:
  explicit Node(const Shape& shape) : shape_(shape) {}
  template <typename T>
  [[nodiscard]] T* at(std::size_t bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this + 1) + bytes);
  }
  /// Numbers of four bytes after the state.
  [[nodiscard]] float* word_at(std::size_t i) {
    return at<float>(std::size_t{shape_.words} * sizeof(std::uint64_t)) + i;
  }
  template <typename T>
  [[nodiscard]] std::span<T> column(std::size_t i) {
    return {reinterpret_cast<T*>(word_at(i * shape_.children)), shape_.children};
  }
  template <typename T>
  [[nodiscard]] std::span<T> option_column(std::size_t i) {
    return {reinterpret_cast<T*>(word_at(options_at() + i * shape_.options)), shape_.options};
  }
  [[nodiscard]] static std::size_t own_at(const Shape& shape) {
    return (5 + std::size_t{shape.roles}) * shape.children;
  }
  [[nodiscard]] static std::size_t options_at(const Shape& shape) {
    return own_at(shape) + 3 * std::size_t{shape.roles} + (shape.options > 0 ? shape.roles + 1 : 0);
  }
  [[nodiscard]] static std::size_t places_at(const Shape& shape) {
    return options_at(shape) + 4 * std::size_t{shape.options};
  }
  [[nodiscard]] static std::size_t bounds_at(const Shape& shape) {
    return places_at(shape) + (shape.options > 0 ? std::size_t{shape.roles} * shape.children : 0);
  }
  [[nodiscard]] std::size_t own_at() const { return own_at(shape_); }
  [[nodiscard]] std::size_t options_at() const { return options_at(shape_); }
  [[nodiscard]] std::size_t places_at() const { return places_at(shape_); }
  [[nodiscard]] Bounds* all_bounds() {
    return reinterpret_cast<Bounds*>(word_at(bounds_at(shape_)));
  }

  Shape shape_;
};
static_assert(sizeof(Node) % sizeof(std::uint64_t) == 0);

}  // namespace ludens::search::value
