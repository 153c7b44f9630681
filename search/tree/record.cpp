// SPDX-License-Identifier: MIT
#include "search/tree/record.h"

namespace ludens::search {

namespace {

constexpr std::size_t kLineSteps = 64;

}  // namespace

void write_line(const GameTree& tree, std::span<const gdl::MoveId> below,
                std::vector<gdl::MoveId>& line) {
  line.clear();
  if (tree.decides_last()) {
    const gdl::JointMove made = tree.joint_move(tree.depth());
    line.assign(made.begin(), made.end());
  }
  line.insert(line.end(), below.begin(), below.end());
  const std::size_t longest = kLineSteps * tree.machine().role_count();
  if (line.size() > longest) line.resize(longest);
}

TraceNode trace_node(const GameTree& tree, TraceNode::Kind kind, gdl::MoveId move, double alpha,
                     double beta) {
  using Kind = TraceNode::Kind;
  TraceNode node;
  node.kind = kind;
  node.move = move;
  node.is_state = tree.is_state();
  node.alpha = alpha;
  node.beta = beta;
  node.state.assign(tree.state());
  const bool branch = kind == Kind::Max || kind == Kind::Min || kind == Kind::Chance;
  if (branch) node.decider = tree.decider();
  return node;
}

TraceNode::Kind leaf_kind(Arrival arrival) {
  switch (arrival) {
    case Arrival::Terminal:
      return TraceNode::Kind::Terminal;
    case Arrival::Recurrence:
      return TraceNode::Kind::Recurrence;
    default:
      return TraceNode::Kind::Estimate;
  }
}

}  // namespace ludens::search
