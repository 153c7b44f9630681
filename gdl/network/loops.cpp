// SPDX-License-Identifier: MIT
#include "gdl/network/loops.h"

#include "gdl/rules/components.h"

namespace ludens::gdl {

namespace {

// Nodes that depend on a feedback and that one depends on, numbered from 0, with the edges among
// them.
class Dependent {
 public:
  Dependent(const Network& network, StopPoll& poll)
      : network_(network), number_(network.gates.size(), Loops::kNone) {
    std::vector<Edge> updates;
    for (const Network::Feedback& f : network.feedbacks) updates.push_back(f.update);
    const std::vector<bool> needed = network.cone(updates, &poll);
    for (NodeId n = 0; n < number_.size() && !poll(); ++n) {
      if (depends(n, needed)) {
        number_[n] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(n);
      }
    }
    graph_.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size() && !poll(8); ++i) {
      const NodeId n = nodes_[i];
      if (network_.gates.kind(n) == Gates::Kind::Feedback) {
        connect(i, network_.feedbacks[network_.gates.index(n)].update);
      } else {
        for (const Edge e : network_.gates.inputs(n)) connect(i, e);
      }
    }
  }

  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  [[nodiscard]] bool depends(NodeId n, const std::vector<bool>& needed) const {
    if (network_.gates.kind(n) == Gates::Kind::Feedback) return true;
    if (!needed[n] || network_.gates.kind(n) != Gates::Kind::And) return false;
    for (const Edge e : network_.gates.inputs(n)) {
      if (number_[node_of(e)] != Loops::kNone) return true;
    }
    return false;
  }
  void connect(std::size_t from, Edge to) {
    if (number_[node_of(to)] != Loops::kNone) graph_[from].push_back(number_[node_of(to)]);
  }

  const Network& network_;
  std::vector<std::uint32_t> number_;  // [node]
  std::vector<NodeId> nodes_;
  Graph graph_;
};

// Follows every path from feedback to feedback and counts complements. `odd` is scratch by node.
bool is_monotone(const Network& network, const Loops& loops, std::uint32_t loop,
                 std::vector<bool>& odd) {
  const Loop& l = loops.loops[loop];
  for (const NodeId gate : l.gates) {
    bool first = true;
    for (const Edge e : network.gates.inputs(gate)) {
      if (loops.of[node_of(e)] != loop) continue;
      const bool here = odd[node_of(e)] != is_inverted(e);
      if (!first && odd[gate] != here) return false;
      odd[gate] = here;
      first = false;
    }
  }
  for (const std::uint32_t f : l.feedbacks) {
    const Edge update = network.feedbacks[f].update;
    if (loops.of[node_of(update)] != loop) continue;
    if (odd[node_of(update)] != is_inverted(update)) return false;
  }
  return true;
}

}  // namespace

Loops find_loops(const Network& network, StopPoll* poll) {
  Loops result;
  result.of.assign(network.gates.size(), Loops::kNone);
  if (network.feedbacks.empty()) return result;
  StopPoll never(nullptr);
  const Dependent dependent(network, poll != nullptr ? *poll : never);
  if (poll != nullptr && poll->stopped()) return result;
  const Components components = strong_components(dependent.graph());
  std::vector<std::uint32_t> loop_of(components.count, Loops::kNone);
  // A component has a cycle if and only if it contains a feedback.
  std::vector<bool> circular(components.count, false);
  for (std::size_t i = 0; i < dependent.nodes().size(); ++i) {
    if (network.gates.kind(dependent.nodes()[i]) == Gates::Kind::Feedback)
      circular[components.of[i]] = true;
  }
  for (std::uint32_t c = 0; c < components.count; ++c) {  // successors have smaller numbers
    if (!circular[c]) continue;
    loop_of[c] = static_cast<std::uint32_t>(result.loops.size());
    result.loops.emplace_back();
  }
  for (std::size_t i = 0; i < dependent.nodes().size(); ++i) {
    const std::uint32_t loop = loop_of[components.of[i]];
    if (loop == Loops::kNone) continue;
    const NodeId n = dependent.nodes()[i];
    result.of[n] = loop;
    if (network.gates.kind(n) == Gates::Kind::Feedback) {
      result.loops[loop].feedbacks.push_back(network.gates.index(n));
    } else {
      result.loops[loop].gates.push_back(n);
    }
  }
  std::vector<bool> odd(network.gates.size(), false);
  for (std::uint32_t l = 0; l < result.loops.size(); ++l) {
    result.loops[l].monotone = is_monotone(network, result, l, odd);
  }
  return result;
}

}  // namespace ludens::gdl
