// SPDX-License-Identifier: MIT
#include "gdl/network/fan_out.h"

#include <numeric>

namespace ludens::gdl {

// `for_each(f)` calls `f(node, value)` for all values, twice in the same order: to count, to write.
template <typename T>
template <typename ForEach>
void FanOut::Lists<T>::fill(std::size_t nodes, const ForEach& for_each) {
  first.assign(nodes + 1, 0);
  for_each([&](NodeId n, const T&) { ++first[n + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  values.assign_zero(first.back());
  std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
  for_each([&](NodeId n, const T& value) { values[at[n]++] = value; });
}

FanOut::FanOut(const Network& network, StopPoll* poll, const std::vector<bool>* among) {
  const Gates& gates = network.gates;
  gates_.fill(gates.size(), [&](const auto& f) {
    for (NodeId n = 0; n < gates.size(); ++n) {
      if (gates.kind(n) != Gates::Kind::And || (among != nullptr && !(*among)[n])) continue;
      if (poll != nullptr && (*poll)(gates.inputs(n).size())) return;
      for (const Edge e : gates.inputs(n)) f(node_of(e), n * 2 + (is_inverted(e) ? 1 : 0));
    }
  });
  outputs_.fill(gates.size(), [&](const auto& f) {
    for (std::uint32_t i = 0; i < network.fluents.size(); ++i) {
      f(node_of(network.fluents[i].next), Output{Gates::Kind::Fluent, i});
    }
    for (std::uint32_t i = 0; i < network.moves.size(); ++i) {
      f(node_of(network.moves[i].legal), Output{Gates::Kind::Move, i});
    }
    for (std::uint32_t i = 0; i < network.feedbacks.size(); ++i) {
      f(node_of(network.feedbacks[i].update), Output{Gates::Kind::Feedback, i});
    }
  });
}

std::vector<std::uint32_t> count_uses(const Network& network, std::span<const Edge> roots,
                                      StopPoll* poll) {
  const Gates& gates = network.gates;
  std::vector<std::uint32_t> uses(gates.size(), 0);
  for (const Edge e : roots) ++uses[node_of(e)];
  const std::vector<bool> used = network.cone(roots, poll);
  for (NodeId n = 0; n < gates.size(); ++n) {
    if (!used[n] || gates.kind(n) != Gates::Kind::And) continue;
    if (poll != nullptr && (*poll)(gates.inputs(n).size())) break;
    for (const Edge e : gates.inputs(n)) ++uses[node_of(e)];
  }
  return uses;
}

}  // namespace ludens::gdl
