// SPDX-License-Identifier: MIT
// One network evaluated over the gates of another.
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "gdl/network/copier.h"
#include "gdl/network/fan_out.h"
#include "gdl/network/known_literals.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// A cone of gates whose inputs are edges of another set of gates, the target. The result of
/// evaluating the cone is built into the target. This is done first for base values of the inputs,
/// and then repeatedly for changes of a few of them, where only what depends on these is visited.
/// Everything is simplified by what is known at the time. Network, target and knowledge must
/// outlive it; no feedbacks.
class Layer final : private NodeMaker {
 public:
  Layer(const Network& network, const std::vector<Edge>& roots, const KnownLiterals& known,
        Gates& target);

  void set_base(NodeId input, Edge e) { base_.substitute(input, e); }
  /// To be called once, when the inputs are set.
  void evaluate_base();

  /// Undoes all changes.
  void begin();
  void change(NodeId input, Edge e) { set(input, e); }
  void settle();
  /// Nodes whose values differ from the base, since `begin`.
  [[nodiscard]] const std::vector<NodeId>& changed() const { return changed_; }
  [[nodiscard]] Edge value(Edge e) const {
    const NodeId n = node_of(e);
    return known_.simplify(round_of_[n] == round_ ? now_[n] ^ (e & 1) : base_[e]);
  }
  /// The number of gate inputs visited so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  Edge gate(NodeId n, std::vector<Edge>& copied) override;
  Edge evaluate(NodeId n);
  Edge conjunction(std::span<const Edge> inputs);
  void set(NodeId n, Edge e);

  const Network& network_;
  const std::vector<bool> cone_;  // [node]
  const KnownLiterals& known_;
  Gates& target_;
  const FanOut fan_out_;
  Copier base_;
  std::vector<Edge> now_;                  // [node]
  std::vector<std::uint32_t> round_of_;    // [node]: when now_ was set
  std::vector<std::uint32_t> waiting_in_;  // [node]: when it was put into the agenda
  std::uint32_t round_ = 1;
  // If an AND is not false in the base, most of its inputs are often true: only those that are not,
  // and those that changed, are visited.
  std::vector<std::uint32_t> first_open_, open_count_;  // [node]
  std::vector<Edge> open_;
  /// [node]: for an AND that is false in the base, an input that is false; unless that changes,
  /// others don't matter.
  std::vector<NodeId> watched_;
  std::vector<std::vector<Edge>> changes_;  // [node]: inputs changed since it was last evaluated
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> agenda_;
  std::vector<NodeId> changed_;
  std::vector<Edge> inputs_;  // scratch
  std::uint64_t work_ = 0;
};

}  // namespace ludens::gdl
