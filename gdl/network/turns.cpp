#include "gdl/network/turns.h"

#include <algorithm>

#include "gdl/network/control.h"

namespace ludens::gdl {

namespace {

class Simplifier {
 public:
  Simplifier(const Network& from, const StopSignal* stop)
      : from_(from),
        stop_(stop),
        edges_(from.gates.size(), kFalse),
        done_(from.gates.size(), false) {
    to_.goals.resize(from.roles());
    done_[0] = true;
    for (const Network::Fluent& f : from.fluents) {
      const auto index = static_cast<std::uint32_t>(to_.fluents.size());
      const Edge e = to_.gates.add_input(Gates::Kind::Fluent, index);
      to_.fluents.push_back({f.id, node_of(e), kFalse, f.initially});
      set(f.node, e);
    }
  }

  void assume(const Turn& turn) {
    for (const auto& [fluent, holds] : turn) {
      set(from_.fluents[fluent].node, holds ? kTrueEdge : kFalse);
    }
  }

  // False if a role has no move.
  bool find_moves() {
    std::vector<std::size_t> possible(from_.roles(), 0);
    for (const Network::Move& m : from_.moves) possible[m.role] += resolve(m.legal) != kFalse;
    for (const Network::Move& m : from_.moves) {
      const Edge legal = resolve(m.legal);
      if (legal == kFalse || (legal == kTrueEdge && possible[m.role] == 1)) {
        set(m.node, legal);
        continue;
      }
      const auto index = static_cast<std::uint32_t>(to_.moves.size());
      const Edge e = to_.gates.add_input(Gates::Kind::Move, index);
      to_.moves.push_back({m.id, m.role, node_of(e), legal});
      set(m.node, e);
    }
    return std::ranges::find(possible, std::size_t{0}) == possible.end();
  }

  [[nodiscard]] bool stopped() const { return stopped_; }

  Network finish() {
    for (std::size_t f = 0; f < from_.fluents.size(); ++f) {
      to_.fluents[f].next = resolve(from_.fluents[f].next);
    }
    to_.terminal = resolve(from_.terminal);
    return std::move(to_);
  }

 private:
  void set(NodeId n, Edge e) {
    edges_[n] = e;
    done_[n] = true;
  }

  // Inputs of a gate are older than it, but networks are deep: no recursion.
  Edge resolve(Edge root) {
    stack_.push_back(node_of(root));
    while (!stack_.empty() && !stopped_) {
      if (++work_ % 4096 == 0 && stop_ != nullptr) stopped_ = stop_->stop_requested();
      const NodeId n = stack_.back();
      if (!done_[n] && !push_missing(n)) {
        std::vector<Edge> inputs;
        for (const Edge e : from_.gates.inputs(n)) inputs.push_back(edges_[node_of(e)] ^ (e & 1));
        set(n, to_.gates.conjunction(inputs));
      }
      if (done_[n]) stack_.pop_back();
    }
    return edges_[node_of(root)] ^ (root & 1);
  }

  bool push_missing(NodeId n) {
    const std::size_t before = stack_.size();
    for (const Edge e : from_.gates.inputs(n)) {
      if (!done_[node_of(e)]) stack_.push_back(node_of(e));
    }
    return stack_.size() != before;
  }

  const Network& from_;
  const StopSignal* stop_;
  std::uint64_t work_ = 0;
  bool stopped_ = false;
  Network to_;
  std::vector<Edge> edges_;  // [old node] in the new network
  std::vector<bool> done_;
  std::vector<NodeId> stack_;
};

}  // namespace

std::vector<Turn> find_turns(const Network& network, const StopSignal* stop) {
  if (!network.feedbacks.empty()) return {};
  std::vector<std::size_t> moves(network.roles(), 0);
  for (const Network::Move& m : network.moves) ++moves[m.role];
  const auto phases = find_phases(network, stop);
  std::vector<std::uint32_t> controls;
  std::size_t roles = 0;
  for (std::size_t role = 0; role < moves.size(); ++role) {
    if (moves[role] < 2) continue;
    if (phases[role].empty()) return {};
    for (const std::uint32_t control : phases[role]) {
      if (std::ranges::find(controls, control) != controls.end()) return {};
      controls.push_back(control);
    }
    ++roles;
  }
  if (roles < 2) return {};
  std::vector<Turn> turns(controls.size());
  for (std::size_t t = 0; t < turns.size(); ++t) {
    for (std::size_t c = 0; c < controls.size(); ++c) {
      turns[t].push_back({controls[c], c == t});
    }
  }
  return turns;
}

std::optional<Network> in_turn(const Network& network, const Turn& turn, const StopSignal* stop) {
  Simplifier simplifier(network, stop);
  simplifier.assume(turn);
  if (!simplifier.find_moves()) return std::nullopt;
  Network part = simplifier.finish();
  if (simplifier.stopped()) return std::nullopt;
  return part;
}

}  // namespace ludens::gdl
