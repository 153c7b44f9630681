#include "gdl/network/passes/rewrite.h"

#include <algorithm>

#include "gdl/network/factor.h"

namespace ludens::gdl {

namespace {

class Rewriter {
 public:
  Rewriter(const Network& from, const std::vector<Known>& fluents, const std::vector<Known>& moves,
           const ReplacedGates& replaced, const StopSignal* stop)
      : from_(from), fluents_(fluents), moves_(moves), replaced_(replaced), poll_(stop) {
    NodeId last = static_cast<NodeId>(from.gates.size());
    for (const auto& [node, inputs] : replaced) last = std::max(last, node + 1);
    edges_.assign(last, kNone);
    edges_[0] = kFalse;
  }

  Network run() {
    to_.goals.resize(from_.roles());
    add_inputs();
    Factoring factoring(to_, &poll_);
    factoring_ = &factoring;
    for (Network::Fluent& f : to_.fluents) f.next = resolve(f.next);
    for (Network::Move& m : to_.moves) m.legal = resolve(m.legal);
    to_.terminal = resolve(from_.terminal);
    for (std::size_t r = 0; r < from_.roles(); ++r) {
      for (const Network::Goal& g : from_.goals[r]) {
        const Edge e = resolve(g.edge);
        if (e != kFalse) to_.goals[r].push_back({g.value, e});
      }
    }
    for (std::size_t f = 0; f < to_.feedbacks.size(); ++f) {  // grows while it runs
      const Edge e = resolve(to_.feedbacks[f].update);
      to_.feedbacks[f].update = e;
    }
    return std::move(to_);
  }

 private:
  static constexpr Edge kNone = 0xffffffff;

  [[nodiscard]] Edge edge(Edge e) const { return edges_[node_of(e)] ^ (e & 1); }

  void add_inputs() {
    for (std::size_t f = 0; f < from_.fluents.size(); ++f) {
      const Network::Fluent& fluent = from_.fluents[f];
      if (fluents_[f] != Known::Open) {
        edges_[fluent.node] = fluents_[f] == Known::True ? kTrueEdge : kFalse;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(to_.fluents.size());
      const Edge e = edges_[fluent.node] = to_.gates.add_input(Gates::Kind::Fluent, index);
      to_.fluents.push_back({fluent.id, node_of(e), fluent.next, fluent.initially});
    }
    for (std::size_t m = 0; m < from_.moves.size(); ++m) {
      const Network::Move& move = from_.moves[m];
      if (moves_[m] != Known::Open) {
        edges_[move.node] = moves_[m] == Known::True ? kTrueEdge : kFalse;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(to_.moves.size());
      const Edge e = edges_[move.node] = to_.gates.add_input(Gates::Kind::Move, index);
      to_.moves.push_back({move.id, move.role, node_of(e), move.legal});
    }
  }

  [[nodiscard]] std::span<const Edge> inputs(NodeId n) const {
    const auto found = replaced_.find(n);
    return found == replaced_.end() ? from_.gates.inputs(n) : std::span<const Edge>(found->second);
  }

  // The new edge for an old one, building what it needs first. Iterative: networks are deep.
  Edge resolve(Edge root) {
    stack_.push_back(node_of(root));
    while (!stack_.empty() && !poll_(8)) {
      const NodeId n = stack_.back();
      if (edges_[n] == kNone && n < from_.gates.size() &&
          from_.gates.kind(n) == Gates::Kind::Feedback) {
        add_feedback(n);
      }
      if (edges_[n] == kNone && !push_missing(n)) add_gate(n);
      if (edges_[n] != kNone) stack_.pop_back();
    }
    return poll_.stopped() ? kFalse : edge(root);
  }

  bool push_missing(NodeId n) {
    bool any = false;
    poll_(inputs(n).size());
    for (const Edge e : inputs(n)) {
      if (edges_[node_of(e)] != kNone) continue;
      stack_.push_back(node_of(e));
      any = true;
    }
    return any;
  }

  void add_feedback(NodeId n) {
    const auto index = static_cast<std::uint32_t>(to_.feedbacks.size());
    edges_[n] = to_.gates.add_input(Gates::Kind::Feedback, index);
    to_.feedbacks.push_back({node_of(edges_[n]), from_.feedbacks[from_.gates.index(n)].update});
  }

  void add_gate(NodeId n) {
    std::vector<Edge> complements;
    if (poll_(inputs(n).size() * 4)) return;
    for (const Edge e : inputs(n)) complements.push_back(invert(edge(e)));
    edges_[n] = invert(factoring_->disjunction(std::move(complements)));
  }

  const Network& from_;
  const std::vector<Known>& fluents_;
  const std::vector<Known>& moves_;
  const ReplacedGates& replaced_;
  StopPoll poll_;
  Network to_;
  Factoring* factoring_ = nullptr;
  std::vector<NodeId> stack_;
  std::vector<Edge> edges_;  // [old node] in the new network
};

}  // namespace

Network rewrite(const Network& network, const std::vector<Known>& fluents,
                const std::vector<Known>& moves, const StopSignal* stop,
                const ReplacedGates& replaced) {
  return Rewriter(network, fluents, moves, replaced, stop).run();
}

Network rewrite(const Network& network, const StopSignal* stop, const ReplacedGates& replaced) {
  return rewrite(network, std::vector<Known>(network.fluents.size(), Known::Open),
                 std::vector<Known>(network.moves.size(), Known::Open), stop, replaced);
}

}  // namespace ludens::gdl
