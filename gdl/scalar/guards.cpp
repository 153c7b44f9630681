#include "gdl/scalar/guards.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ludens::gdl::scalar {

namespace {

/// A role with more moves than these that do not need the guard gets none.
constexpr std::size_t kMostUnguarded = 8;
/// Gates looked at for a move: shared ones are met again and again.
constexpr int kMostNeeded = 256;
/// A guard for fewer moves saves nothing.
constexpr std::size_t kLeastGuarded = 8;

/// The fluents, as edges, that an edge needs: those among the inputs of its gate, of the AND gates
/// among these, and so on.
std::vector<Edge> needs(const Network& network, Edge edge) {
  std::vector<Edge> found, open{edge};
  for (int gates = 0; !open.empty() && gates < kMostNeeded; ++gates) {
    const Edge e = open.back();
    open.pop_back();
    const Gates::Kind kind = network.gates.kind(node_of(e));
    if (kind == Gates::Kind::Fluent) {
      found.push_back(e);
    } else if (kind == Gates::Kind::And && !is_inverted(e)) {
      const auto inputs = network.gates.inputs(node_of(e));
      open.insert(open.end(), inputs.begin(), inputs.end());
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<Guard> find_guard(const Network& network, RoleIndex role, StopPoll& poll) {
  std::map<Edge, std::size_t> counts;
  std::size_t moves = 0;
  for (const Network::Move& m : network.moves) {
    if (m.role != role) continue;
    ++moves;
    if (poll(kMostNeeded)) return std::nullopt;
    for (const Edge e : needs(network, m.legal)) ++counts[e];
  }
  const auto best =
      std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  if (best == counts.end() || best->second < kLeastGuarded ||
      best->second + kMostUnguarded < moves) {
    return std::nullopt;
  }
  const Edge literal = best->first;
  Guard guard{network.gates.index(node_of(literal)), is_inverted(literal), {}};
  for (const Network::Move& m : network.moves) {
    if (poll(m.role == role ? kMostNeeded : 1)) return std::nullopt;
    guard.unguarded.push_back(m.role != role ||
                              !std::ranges::binary_search(needs(network, m.legal), literal));
  }
  return guard;
}

/// Copies gates into another network, with some inputs replaced.
class Copy {
 public:
  Copy(const Network& from, Gates& to, StopPoll& poll)
      : from_(from), to_(to), poll_(&poll), at_(from.gates.size(), kFalse) {}

  void set(NodeId node, Edge edge) { at_[node] = edge; }
  /// All gates that the roots need; inputs must have been set.
  void gates(std::span<const Edge> roots) {
    const std::vector<bool> used = from_.cone(roots, poll_);
    for (NodeId n = 0; n < used.size(); ++n) {
      if (!used[n] || from_.gates.kind(n) != Gates::Kind::And) continue;
      if ((*poll_)(from_.gates.inputs(n).size())) return;
      inputs_.clear();
      for (const Edge e : from_.gates.inputs(n)) inputs_.push_back((*this)[e]);
      at_[n] = to_.conjunction(inputs_);
    }
  }
  Edge operator[](Edge e) const {
    return is_inverted(e) ? invert(at_[node_of(e)]) : at_[node_of(e)];
  }

 private:
  const Network& from_;
  Gates& to_;
  StopPoll* poll_;
  std::vector<Edge> at_;
  std::vector<Edge> inputs_;
};

}  // namespace

GuardedNetwork take_out_guards(const Network& network, StopPoll& poll) {
  GuardedNetwork out;
  Network& to = out.network;
  Copy plain(network, to.gates, poll);
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
    const Edge e = to.gates.add_input(Gates::Kind::Fluent, f);
    plain.set(network.fluents[f].node, e);
    to.fluents.push_back({network.fluents[f].id, node_of(e), kFalse, network.fluents[f].initially});
  }
  for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
    const Edge e = to.gates.add_input(Gates::Kind::Move, m);
    plain.set(network.moves[m].node, e);
    to.moves.push_back({network.moves[m].id, network.moves[m].role, node_of(e), kFalse});
  }
  std::vector<Edge> roots{network.terminal};
  for (const Network::Fluent& f : network.fluents) roots.push_back(f.next);
  for (RoleIndex role = 0; role < network.roles(); ++role) {
    out.guards.push_back(find_guard(network, role, poll));
    const auto& guard = out.guards.back();
    Copy guarded = plain;
    if (guard)
      guarded.set(network.fluents[guard->fluent].node, guard->inverted ? kFalse : kTrueEdge);
    std::vector<Edge> legal;
    for (std::size_t m = 0; m < network.moves.size(); ++m) {
      if (network.moves[m].role != role) continue;
      (guard && !guard->unguarded[m] ? legal : roots).push_back(network.moves[m].legal);
    }
    guarded.gates(legal);
    for (std::size_t m = 0; m < network.moves.size(); ++m) {
      if (network.moves[m].role == role && guard && !guard->unguarded[m])
        to.moves[m].legal = guarded[network.moves[m].legal];
    }
  }
  for (const auto& role : network.goals) {
    for (const Network::Goal& g : role) roots.push_back(g.edge);
  }
  plain.gates(roots);
  for (std::size_t f = 0; f < network.fluents.size(); ++f)
    to.fluents[f].next = plain[network.fluents[f].next];
  for (std::size_t m = 0; m < network.moves.size(); ++m) {
    const auto& guard = out.guards[network.moves[m].role];
    if (!guard || guard->unguarded[m]) to.moves[m].legal = plain[network.moves[m].legal];
  }
  to.terminal = plain[network.terminal];
  for (const auto& role : network.goals) {
    to.goals.emplace_back();
    for (const Network::Goal& g : role) to.goals.back().push_back({g.value, plain[g.edge]});
  }
  return out;
}

}  // namespace ludens::gdl::scalar
