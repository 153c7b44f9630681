#include "gdl/sliced/turns.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

/// Which edges are false if one fluent is, whatever else holds: for up to 64 fluents at a time.
class WithoutFluents {
 public:
  WithoutFluents(const Network& network, const std::vector<NodeId>& fluents)
      : no_(network.gates.size(), 0), yes_(network.gates.size(), 0) {
    const Gates& gates = network.gates;
    no_[0] = ~std::uint64_t{0};
    for (std::size_t i = 0; i < fluents.size(); ++i) no_[fluents[i]] |= std::uint64_t{1} << i;
    for (NodeId n = 0; n < gates.size(); ++n) {
      if (gates.kind(n) != Gates::Kind::And) continue;
      std::uint64_t no = 0, yes = ~std::uint64_t{0};
      for (const Edge e : gates.inputs(n)) {
        no |= impossible(e);
        yes &= impossible(invert(e));
      }
      no_[n] = no;
      yes_[n] = yes;
    }
  }
  [[nodiscard]] std::uint64_t impossible(Edge e) const {
    return is_inverted(e) ? yes_[node_of(e)] : no_[node_of(e)];
  }

 private:
  std::vector<std::uint64_t> no_, yes_;  // [node], a bit a fluent
};

std::vector<std::vector<Edge>> legal_by_role(const Network& network) {
  std::vector<std::vector<Edge>> legal(network.roles());
  for (const Network::Move& m : network.moves) legal[m.role].push_back(m.legal);
  return legal;
}

/// Fluents met on the way down from an edge through ANDs, and through one branch of each OR: if the
/// edge needs a fluent, that is among them.
void collect_candidates(const Network& network, Edge root, std::vector<NodeId>& found) {
  std::vector<Edge> stack{root};
  while (!stack.empty() && found.size() < 64) {
    const Edge e = stack.back();
    stack.pop_back();
    const NodeId n = node_of(e);
    if (network.gates.kind(n) == Gates::Kind::Fluent && !is_inverted(e)) {
      if (std::ranges::find(found, n) == found.end()) found.push_back(n);
    }
    if (network.gates.kind(n) != Gates::Kind::And) continue;
    const auto inputs = network.gates.inputs(n);
    if (is_inverted(e)) {
      stack.push_back(invert(inputs.front()));
    } else {
      stack.insert(stack.end(), inputs.begin(), inputs.end());
    }
  }
}

/// The fluent without which a role has at most one move.
std::optional<NodeId> control_of(const Network& network, const std::vector<Edge>& legal) {
  std::vector<NodeId> candidates;
  for (const std::size_t at : {legal.size() / 2, legal.size() - 1, std::size_t{0}}) {
    collect_candidates(network, legal[at], candidates);
  }
  const WithoutFluents without(network, candidates);
  std::optional<NodeId> best;
  std::size_t fewest = 2;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto left = static_cast<std::size_t>(std::ranges::count_if(
        legal, [&](Edge e) { return (without.impossible(e) >> i & 1) == 0; }));
    if (left >= fewest) continue;
    fewest = left;
    best = candidates[i];
  }
  return best;
}

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

std::vector<Turn> find_turns(const Network& network) {
  if (!network.feedbacks.empty()) return {};
  std::vector<NodeId> controls;
  for (const std::vector<Edge>& legal : legal_by_role(network)) {
    if (legal.size() < 2) continue;
    const auto control = control_of(network, legal);
    if (!control || std::ranges::find(controls, *control) != controls.end()) return {};
    controls.push_back(*control);
  }
  if (controls.size() < 2) return {};
  std::vector<Turn> turns(controls.size());
  for (std::size_t t = 0; t < turns.size(); ++t) {
    for (std::size_t c = 0; c < controls.size(); ++c) {
      turns[t].push_back({network.gates.index(controls[c]), c == t});
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
