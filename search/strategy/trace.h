// SPDX-License-Identifier: MIT
// The tree that a search has searched, node by node, for people and tests to look at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

struct TraceNode {
  enum class Kind : std::uint8_t {
    Max,     // the searching role decides, or in max^n any role for itself
    Min,     // another role decides, against the searching role
    Chance,  // the mean counts
    Terminal,
    Recurrence,
    Estimate,  // not searched: evaluated, or unknown
    Table,     // known from the table
    Unseen,    // X: nothing was looked at
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Kind kind = Kind::Unseen;
  std::uint32_t parent = kNone;
  gdl::MoveId move = gdl::kNoMove;  // by which the parent's decider came here
  gdl::RoleIndex decider = 0;       // for Max, Min, Chance
  bool is_state = true;             // else some roles have yet to decide at the parent's state
  bool done = false;                // `value` holds; not where the search was stopped
  double alpha = 0, beta = 0;       // when the node was entered; infinite without bounds
  std::vector<double> value;        // of the searching role, or in max^n of all roles
  gdl::State state;
};

/// Written by one search in one thread, read when that has ended. Parents stand before their
/// children, children in the order in which they were looked at, then the unseen ones.
class SearchTrace {
 public:
  explicit SearchTrace(std::size_t max_nodes = 100'000) : max_nodes_(max_nodes) {}

  /// Begins anew: searches that deepen step by step leave the trace of the last step.
  void clear();
  /// At a node, below the one entered last and not left.
  void enter(TraceNode node);
  /// Leaves the node entered last; `unseen`: its moves that were not looked at.
  void leave(std::span<const double> value, std::span<const gdl::MoveId> unseen = {});

  [[nodiscard]] const std::vector<TraceNode>& nodes() const { return nodes_; }
  /// Nodes that found no room.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  std::size_t max_nodes_;
  std::vector<TraceNode> nodes_;
  std::vector<std::uint32_t> path_;  // entered and not left; kNone where left out
  std::uint64_t left_out_ = 0;
};

}  // namespace ludens::search
