#include "gdl/policy/layer.h"

#include <algorithm>

namespace ludens::gdl {

Layer::Layer(const Network& network, const std::vector<Edge>& roots, const KnownLiterals& known,
             Gates& target)
    : network_(network),
      cone_(network.cone(roots)),
      known_(known),
      target_(target),
      base_(network.gates.size(), kFalse),
      now_(network.gates.size(), kFalse),
      round_of_(network.gates.size(), 0),
      waiting_in_(network.gates.size(), 0),
      first_open_(network.gates.size(), 0),
      open_count_(network.gates.size(), 0),
      watched_(network.gates.size(), 0),
      changes_(network.gates.size()) {
  find_readers();
}

void Layer::find_readers() {
  const Gates& gates = network_.gates;
  first_reader_.assign(gates.size() + 1, 0);
  const auto for_inputs = [&](auto f) {
    for (NodeId n = 0; n < gates.size(); ++n) {
      if (!cone_[n] || gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : gates.inputs(n)) f(e, n);
    }
  };
  for_inputs([&](Edge read, NodeId) { ++first_reader_[node_of(read) + 1]; });
  for (NodeId n = 0; n < gates.size(); ++n) first_reader_[n + 1] += first_reader_[n];
  readers_.resize(first_reader_.back());
  std::vector<std::uint32_t> at(first_reader_.begin(), first_reader_.end() - 1);
  for_inputs([&](Edge read, NodeId n) { readers_[at[node_of(read)]++] = {n, read}; });
}

void Layer::evaluate_base() {
  ++round_;
  for (NodeId n = 0; n < network_.gates.size(); ++n) {
    if (cone_[n] && network_.gates.kind(n) == Gates::Kind::And) base_[n] = evaluate_base(n);
  }
}

Edge Layer::evaluate_base(NodeId n) {
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
  for (std::uint32_t i = first_reader_[n]; i < first_reader_[n + 1]; ++i) {
    const auto [reader, edge] = readers_[i];
    const NodeId watched = watched_[reader];
    if (watched != 0 && watched != n && round_of_[watched] != round_) continue;
    changes_[reader].push_back(edge);
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
    if (e != base_[n]) set(n, e);
  }
}

}  // namespace ludens::gdl
