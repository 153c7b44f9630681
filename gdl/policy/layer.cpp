// SPDX-License-Identifier: MIT
#include "gdl/policy/layer.h"

#include <algorithm>

namespace ludens::gdl {

Layer::Layer(const Network& network, const std::vector<Edge>& roots, const KnownLiterals& known,
             Gates& target)
    : network_(network),
      cone_(network.cone(roots)),
      known_(known),
      target_(target),
      fan_out_(network, nullptr, &cone_),
      base_(network),
      now_(network.gates.size(), kFalse),
      round_of_(network.gates.size(), 0),
      waiting_in_(network.gates.size(), 0),
      first_open_(network.gates.size(), 0),
      open_count_(network.gates.size(), 0),
      watched_(network.gates.size(), 0),
      changes_(network.gates.size()) {
  for (NodeId n = 0; n < network.gates.size(); ++n) {
    if (network.gates.kind(n) != Gates::Kind::And) base_.substitute(n, kFalse);
  }
}

void Layer::evaluate_base() {
  ++round_;
  base_.copy_gates(cone_, *this);
}

// Makes a gate of the base. Uses the inputs instead of their copies, because knowledge changes what
// they are.
Edge Layer::gate(NodeId n, std::vector<Edge>& /*copied*/) {
  const auto inputs = network_.gates.inputs(n);
  const Edge e = conjunction(inputs);
  if (e == kFalse) {
    const auto reason = std::ranges::find(inputs, kFalse, [this](Edge i) { return value(i); });
    watched_[n] = reason != inputs.end() ? node_of(*reason) : 0;
  }
  first_open_[n] = static_cast<std::uint32_t>(open_.size());
  for (const Edge input : inputs) {
    if (e == kFalse || value(input) != kTrueEdge) open_.push_back(input);
  }
  open_count_[n] = static_cast<std::uint32_t>(open_.size()) - first_open_[n];
  return e;
}

Edge Layer::evaluate(NodeId n) {
  auto& inputs = changes_[n];
  const auto open = std::span(open_).subspan(first_open_[n], open_count_[n]);
  inputs.insert(inputs.end(), open.begin(), open.end());
  const Edge e = conjunction(inputs);
  inputs.clear();
  return e;
}

Edge Layer::conjunction(std::span<const Edge> inputs) {
  inputs_.clear();
  for (const Edge e : inputs) {
    ++work_;
    const Edge v = value(e);
    if (v == kFalse) return kFalse;
    if (v != kTrueEdge) inputs_.push_back(v);
  }
  return known_.simplify(target_.conjunction(inputs_));
}

void Layer::begin() {
  ++round_;
  changed_.clear();
}

void Layer::set(NodeId n, Edge e) {
  now_[n] = e;
  round_of_[n] = round_;
  changed_.push_back(n);
  for (const Edge read : fan_out_.gates(n)) {
    const NodeId reader = node_of(read), watched = watched_[reader];
    if (watched != 0 && watched != n && round_of_[watched] != round_) continue;
    changes_[reader].push_back(n * 2 ^ (read & 1));
    if (waiting_in_[reader] == round_) continue;
    waiting_in_[reader] = round_;
    agenda_.push(reader);
  }
}

void Layer::settle() {
  while (!agenda_.empty()) {
    const NodeId n = agenda_.top();
    agenda_.pop();
    const Edge e = evaluate(n);
    if (e != base_[n * 2]) set(n, e);
  }
}

}  // namespace ludens::gdl
