// SPDX-License-Identifier: MIT
// The tree that a search has visited, node by node, for people and tests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

struct TraceNode {
  enum class Kind : std::uint8_t {
    Max,     // the searching role decides, or in max^n any role in its own interest
    Min,     // another role decides, against the searching role
    Chance,  // the mean counts
    Terminal,
    Recurrence,
    Estimate,  // not searched: evaluated, or unknown
    Table,     // value from the table
    Unseen,    // X: not searched
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Kind kind = Kind::Unseen;
  std::uint32_t parent = kNone;
  gdl::MoveId move = gdl::kNoMove;  // the move of the parent's decider that leads here
  gdl::RoleIndex decider = 0;       // for Max, Min, Chance
  bool is_state = true;             // otherwise some roles still have to decide at the parent's
                                    // state
  bool done = false;                // `value` is valid; false if the search was stopped
  double alpha = 0, beta = 0;       // at the time when the node was entered; infinite without
                                    // bounds
  std::vector<double> value;        // of the searching role, or in max^n of all roles
  gdl::State state;
};

/// Written by one search in one thread, read when the search has ended. Parents come before their
/// children, children in the order in which they were searched, followed by unseen ones.
class SearchTrace {
 public:
  explicit SearchTrace(std::size_t max_nodes = 100'000) : max_nodes_(max_nodes) {}

  /// Clears the trace: searches that deepen step by step keep only the trace of the last step.
  void clear();
  /// Enters a node, below the last entered node that was not left.
  void enter(TraceNode node);
  /// Leaves the last entered node; `unseen`: its moves that were not searched.
  void leave(std::span<const double> value, std::span<const gdl::MoveId> unseen = {});

  [[nodiscard]] const std::vector<TraceNode>& nodes() const { return nodes_; }
  /// The number of nodes for which there was no room.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  std::size_t max_nodes_;
  std::vector<TraceNode> nodes_;
  std::vector<std::uint32_t> path_;  // entered and not left; kNone where left out
  std::uint64_t left_out_ = 0;
};

}  // namespace ludens::search
