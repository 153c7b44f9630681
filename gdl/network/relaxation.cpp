// SPDX-License-Identifier: MIT
#include "gdl/network/relaxation.h"

#include <algorithm>
#include <bit>

namespace ludens::gdl {

namespace {

/// A goal with more conditions than this counts as one condition.
constexpr std::size_t kMostConditions = 1024;

}  // namespace

Relaxation::Relaxation(const Network& network, std::uint32_t role, int goal,
                       std::uint32_t most_steps)
    : most_steps_(most_steps), terminal_(network.terminal), rails_(network.gates.size()) {
  const auto found = std::ranges::find(network.goals[role], goal, &Network::Goal::value);
  if (found != network.goals[role].end()) goal_ = found->edge;
  find_conditions(network, goal_);
  std::vector<Edge> looked_at{terminal_, goal_}, nexts;
  for (const Network::Move& m : network.moves) {
    moves_.push_back({m.node, m.legal});
    looked_at.push_back(m.legal);
  }
  for (const Network::Fluent& f : network.fluents) {
    fluents_.push_back({f.id, f.node, f.next});
    nexts.push_back(f.next);
  }
  std::ranges::sort(fluents_, {}, &Fluent::id);
  next_.resize(fluents_.size());
  std::vector<bool> taken(network.gates.size(), false);
  add_gates(network, network.cone(looked_at), taken, before_);
  add_gates(network, network.cone(nexts), taken, after_);
  rails_[0] = {0, ~Word{0}};
  // Nothing is known about rules in a cycle.
  for (const Network::Feedback& f : network.feedbacks) rails_[f.node] = {~Word{0}, ~Word{0}};
}

void Relaxation::add_gates(const Network& network, const std::vector<bool>& cone,
                           std::vector<bool>& taken, std::vector<Gate>& out) {
  for (NodeId n = 0; n < cone.size(); ++n) {
    if (!cone[n] || taken[n] || network.gates.kind(n) != Gates::Kind::And) continue;
    taken[n] = true;
    const auto inputs = network.gates.inputs(n);
    out.push_back(
        {n, static_cast<std::uint32_t>(inputs_.size()), static_cast<std::uint32_t>(inputs.size())});
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  }
}

/// Decomposes ANDs of ANDs.
void Relaxation::find_conditions(const Network& network, Edge goal) {
  std::vector<Edge> open{goal};
  std::vector<bool> seen(network.gates.size(), false);
  while (!open.empty() && open.size() + conditions_.size() <= kMostConditions) {
    const Edge e = open.back();
    open.pop_back();
    if (seen[node_of(e)]) continue;
    seen[node_of(e)] = true;
    if (!network.gates.is_and(e)) {
      conditions_.push_back(e);
      continue;
    }
    const auto inputs = network.gates.inputs(node_of(e));
    open.insert(open.end(), inputs.begin(), inputs.end());
  }
  if (!open.empty()) conditions_.assign(1, goal);
}

Relaxation::DualRail Relaxation::at(Edge e) const {
  const DualRail rails = rails_[node_of(e)];
  return is_inverted(e) ? DualRail{rails.could_not, rails.could} : rails;
}

void Relaxation::evaluate(std::span<const Gate> gates) {
  for (const Gate& gate : gates) {
    DualRail all{~Word{0}, 0};
    for (const Edge e : std::span(inputs_).subspan(gate.first, gate.count)) {
      const DualRail input = at(e);
      all.could &= input.could;
      all.could_not |= input.could_not;
    }
    rails_[gate.node] = all;
  }
}

bool Relaxation::look(std::span<const std::vector<FluentId>> states, std::span<LowerBound> out,
                      const StopSignal* stop) {
  Word open = states.size() == kLanes ? ~Word{0} : (Word{1} << states.size()) - 1;
  enter(states, open);
  for (std::size_t i = 0; i < states.size(); ++i) out[i] = {};
  for (std::uint32_t step = 0; open != 0; ++step) {
    if (stop != nullptr && stop->stop_requested()) return false;
    open = note(step, open, out);
    if (open == 0) break;
    if (step == most_steps_) {
      for (Word left = open; left != 0; left &= left - 1) {
        out[static_cast<std::size_t>(std::countr_zero(left))].steps = step;
      }
      break;
    }
    if (!advance()) break;  // it stays so forever
  }
  return true;
}

/// The states themselves; in lanes without one, nothing holds.
void Relaxation::enter(std::span<const std::vector<FluentId>> states, Word lanes) {
  for (const Fluent& f : fluents_) rails_[f.node] = {0, ~Word{0}};
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Word lane = Word{1} << i;
    for (const FluentId fluent : states[i]) {
      const auto found = std::ranges::lower_bound(fluents_, fluent, {}, &Fluent::id);
      if (found == fluents_.end() || found->id != fluent) continue;
      rails_[found->node].could |= lane;
      rails_[found->node].could_not &= ~lane;
    }
  }
  not_yet_.assign(conditions_.size(), lanes);
}

/// Examines a layer. Returns the lanes in which the end was not found and may come later.
Relaxation::Word Relaxation::note(std::uint32_t step, Word open, std::span<LowerBound> out) {
  evaluate(before_);
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    not_yet_[c] &= ~at(conditions_[c]).could;
    for (Word left = not_yet_[c] & open; left != 0; left &= left - 1) {
      ++out[static_cast<std::size_t>(std::countr_zero(left))].added;
    }
  }
  const DualRail end = at(terminal_);
  const Word reached = open & end.could & at(goal_).could;
  for (Word left = reached; left != 0; left &= left - 1) {
    out[static_cast<std::size_t>(std::countr_zero(left))].steps = step;
  }
  return open & ~reached & end.could_not;
}

/// Advances to the next layer; false if it is the same.
bool Relaxation::advance() {
  for (const Move& m : moves_) rails_[m.node] = {at(m.legal).could, ~Word{0}};
  evaluate(after_);
  bool changed = false;
  for (std::size_t f = 0; f < fluents_.size(); ++f) {
    next_[f] = at(fluents_[f].next);
    changed |= next_[f] != rails_[fluents_[f].node];
  }
  for (std::size_t f = 0; f < fluents_.size(); ++f) rails_[fluents_[f].node] = next_[f];
  return changed;
}

}  // namespace ludens::gdl
