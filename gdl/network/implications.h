// SPDX-License-Identifier: MIT
// What follows from an assumption about one step of a game.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/fan_out.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Values of nodes in some state and joint move about which only this is known: at most one fluent
/// of each group holds, and, in a step, every role makes exactly one move, and it is legal.
/// Assumptions are propagated through the gates in both directions, and can be undone. The network
/// must have no feedbacks and must outlive this.
class Implications {
 public:
  using Group = std::vector<std::uint32_t>;  // indices of fluents

  Implications(const Network& network, const std::vector<Group>& groups, std::uint64_t work,
               StopPoll& poll);

  /// False if that contradicts what was assumed before; then only `take_back` makes sense.
  bool assume(Edge edge);
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  /// Undoes everything since the mark.
  void take_back(std::size_t mark);

  [[nodiscard]] bool is_false(Edge e) const { return value(e) == Value::False; }
  [[nodiscard]] bool is_true(Edge e) const { return value(e) == Value::True; }
  /// Tries to show by case distinctions, nested up to `depth`, that the roots, which were assumed,
  /// can't hold together. False: not found within this many cases.
  bool refute(std::span<const Edge> roots, int depth, int cases);
  /// Whether the work is spent or it was stopped: answers then mean "not found".
  [[nodiscard]] bool exhausted() const { return work_ == 0 || poll_.stopped(); }

 private:
  enum class Value : std::uint8_t { Open, False, True };

  [[nodiscard]] Value value(Edge e) const {
    const Value v = values_[node_of(e)];
    if (v == Value::Open || !is_inverted(e)) return v;
    return v == Value::True ? Value::False : Value::True;
  }
  bool refute(std::span<const Edge> roots, int depth);
  bool set(Edge edge);
  bool hand_on();
  void count(NodeId node, int sign);
  bool look_at(NodeId gate);
  bool look_at_readers(NodeId node);
  bool conclude(NodeId node);
  bool exclude_others(NodeId fluent);
  bool make_move(std::uint32_t move);
  bool lose_move(RoleIndex role);
  [[nodiscard]] NodeId open_choice(std::span<const Edge> roots);

  const Network& network_;
  std::uint64_t work_;
  StopPoll& poll_;
  std::vector<Value> values_;                  // [node]
  std::vector<std::uint32_t> falses_, opens_;  // [gate]: inputs false; inputs not true
  const FanOut fan_out_;
  std::vector<std::vector<std::uint32_t>> groups_of_;  // [fluent]
  const std::vector<Group>& groups_;
  std::vector<std::vector<std::uint32_t>> moves_of_;  // [role]
  std::vector<std::uint32_t> moves_left_;             // [role]: not false
  std::vector<NodeId> trail_;
  std::size_t handed_on_ = 0;        // how much of the trail is propagated
  std::vector<std::uint32_t> seen_;  // [node], scratch of open_choice
  std::uint32_t round_ = 0;
  int cases_ = 0;  // left to the current refutation
};

}  // namespace ludens::gdl
