// SPDX-License-Identifier: MIT
#include "gdl/network/known_literals.h"

namespace ludens::gdl {

void KnownLiterals::add(Edge root) {
  std::vector<Edge> stack{root};
  while (!stack.empty()) {
    const Edge e = stack.back();
    stack.pop_back();
    const NodeId n = node_of(e);
    if (n == 0) continue;
    if (n >= known_.size()) known_.resize(gates_.size(), kNothing);
    if (known_[n] != kNothing) continue;
    known_[n] = is_inverted(e) ? kFalse : kTrueEdge;
    added_.push_back(e);
    if (is_inverted(e) || gates_.kind(n) != Gates::Kind::And) continue;
    const auto inputs = gates_.inputs(n);
    stack.insert(stack.end(), inputs.begin(), inputs.end());
  }
}

void KnownLiterals::forget(std::size_t count) {
  for (; added_.size() > count; added_.pop_back()) known_[node_of(added_.back())] = kNothing;
}

}  // namespace ludens::gdl
