// SPDX-License-Identifier: MIT
#include "gdl/network/ternary.h"

namespace ludens::gdl {

TernarySimulation::TernarySimulation(const Network& network, const StopSignal* stop)
    : network_(network),
      poll_(stop),
      fan_out_(network, &poll_),
      changes_after_(network.fluents.size(), 0) {
  set_initial_values();
}

Known TernarySimulation::value(Edge e) const {
  const Known v = values_[node_of(e)];
  if (v == Known::Open || !is_inverted(e)) return v;
  return v == Known::True ? Known::False : Known::True;
}

void TernarySimulation::set_initial_values() {
  values_.assign(network_.gates.size(), Known::False);
  falses_.assign(network_.gates.size(), 0);
  for (const Network::Fluent& f : network_.fluents) {
    values_[f.node] = f.initially ? Known::True : Known::False;
  }
  for (NodeId n = 0; n < values_.size(); ++n) {
    if (network_.gates.kind(n) != Gates::Kind::And) continue;
    if (poll_(network_.gates.inputs(n).size())) return;
    for (const Edge e : network_.gates.inputs(n)) falses_[n] += value(e) == Known::False ? 1 : 0;
    values_[n] = falses_[n] != 0 ? Known::False : Known::True;
  }
}

bool TernarySimulation::run() {
  for (std::uint32_t m = 0; m < network_.moves.size(); ++m) look_at_move(m);
  for (std::uint32_t f = 0; f < network_.feedbacks.size(); ++f) look_at_feedback(f);
  for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) next_round_.push_back(f);
  for (std::uint32_t round = 1; settle() && !next_round_.empty(); ++round) {
    std::vector<std::uint32_t> changing;
    for (const std::uint32_t f : next_round_) {
      const Network::Fluent& fluent = network_.fluents[f];
      if (values_[fluent.node] != Known::Open && value(fluent.next) != values_[fluent.node]) {
        changing.push_back(f);
      }
    }
    next_round_.clear();
    for (const std::uint32_t f : changing) {
      if (values_[network_.fluents[f].node] == Known::Open) continue;
      changes_after_[f] = round;
      open(network_.fluents[f].node);
    }
  }
  return !poll_.stopped();
}

// Propagates what was opened, within one step of the plays.
bool TernarySimulation::settle() {
  while (!stack_.empty()) {
    const Opened opened = stack_.back();
    stack_.pop_back();
    for (const Edge reader : fan_out_.gates(opened.node)) {
      if (poll_()) return false;
      tell(reader, opened.before);
    }
    for (const FanOut::Output& output : fan_out_.outputs(opened.node)) {
      if (poll_()) return false;
      look_at(output);
    }
  }
  return !poll_.stopped();
}

std::vector<Known> TernarySimulation::fluents() const {
  std::vector<Known> known;
  for (const Network::Fluent& f : network_.fluents) known.push_back(values_[f.node]);
  return known;
}

std::vector<Known> TernarySimulation::moves() const {
  std::vector<Known> known;
  for (const Network::Move& m : network_.moves) known.push_back(values_[m.node]);
  return known;
}

void TernarySimulation::open(NodeId n) {
  if (values_[n] == Known::Open) return;
  stack_.push_back({n, values_[n]});
  values_[n] = Known::Open;
}

void TernarySimulation::look_at_fluent(std::uint32_t f) {
  const Network::Fluent& fluent = network_.fluents[f];
  if (value(fluent.next) != values_[fluent.node]) next_round_.push_back(f);
}

void TernarySimulation::look_at_move(std::uint32_t m) {
  const Network::Move& move = network_.moves[m];
  if (value(move.legal) != Known::False) open(move.node);
}

void TernarySimulation::look_at_feedback(std::uint32_t f) {
  const Network::Feedback& feedback = network_.feedbacks[f];
  if (value(feedback.update) != Known::False) open(feedback.node);
}

void TernarySimulation::look_at(FanOut::Output output) {
  switch (output.kind) {
    case Gates::Kind::Fluent:
      return look_at_fluent(output.index);
    case Gates::Kind::Move:
      return look_at_move(output.index);
    default:
      return look_at_feedback(output.index);
  }
}

// A gate that reads an input, and what the input was before.
void TernarySimulation::tell(Edge reader, Known before) {
  const NodeId gate = node_of(reader);
  if ((before == Known::False) != is_inverted(reader)) --falses_[gate];
  if (falses_[gate] == 0) open(gate);
}

}  // namespace ludens::gdl
