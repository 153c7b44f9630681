// SPDX-License-Identifier: MIT
#include "search/strategy/trace.h"

#include <utility>

namespace ludens::search {

void SearchTrace::clear() {
  nodes_.clear();
  path_.clear();
  left_out_ = 0;
}

void SearchTrace::enter(TraceNode node) {
  if (nodes_.size() >= max_nodes_) {
    ++left_out_;
    path_.push_back(TraceNode::kNone);
    return;
  }
  node.parent = path_.empty() ? TraceNode::kNone : path_.back();
  path_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(std::move(node));
}

void SearchTrace::leave(std::span<const double> value, std::span<const gdl::MoveId> unseen) {
  const std::uint32_t at = path_.back();
  if (at != TraceNode::kNone) {
    nodes_[at].done = true;
    nodes_[at].value.assign(value.begin(), value.end());
    for (const gdl::MoveId move : unseen) {
      TraceNode child;
      child.move = move;
      enter(std::move(child));
      path_.pop_back();
    }
  }
  path_.pop_back();
}

}  // namespace ludens::search
