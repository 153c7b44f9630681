// SPDX-License-Identifier: MIT
#include "gdl/reach/relaxed_gates.h"

namespace ludens::gdl {

RelaxedGates::RelaxedGates(const Network& network, Gates& target, std::span<const Edge> lower,
                           std::span<const Edge> upper)
    : network_(network), target_(target) {
  for (auto& values : values_) {
    values.assign(network.gates.size(), kNone);
    for (NodeId n = 0; n < values.size(); ++n) {
      if (network.gates.kind(n) != Gates::Kind::And) values[n] = kFalse;
    }
  }
  for (std::size_t f = 0; f < network.fluents.size(); ++f) {
    values_[0][network.fluents[f].node] = lower[f];
    values_[1][network.fluents[f].node] = upper[f];
  }
}

Edge RelaxedGates::evaluate(Edge e) {
  missing_.assign(1, {node_of(e), !is_inverted(e)});
  while (!missing_.empty()) {
    const auto [n, upper] = missing_.back();
    if (values_[upper ? 1 : 0][n] != kNone || make(n, upper)) missing_.pop_back();
  }
  return values_[is_inverted(e) ? 0 : 1][node_of(e)] ^ (e & 1);
}

/// An inverted input is needed in the other sense.
bool RelaxedGates::make(NodeId n, bool upper) {
  const std::size_t before = missing_.size();
  inputs_.clear();
  for (const Edge input : network_.gates.inputs(n)) {
    const bool sense = upper != is_inverted(input);
    const Edge value = values_[sense ? 1 : 0][node_of(input)];
    if (value == kNone) {
      missing_.emplace_back(node_of(input), sense);
    } else {
      inputs_.push_back(value ^ (input & 1));
    }
  }
  if (missing_.size() != before) return false;
  values_[upper ? 1 : 0][n] = target_.conjunction(inputs_);
  return true;
}

}  // namespace ludens::gdl
