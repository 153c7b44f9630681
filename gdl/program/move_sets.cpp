#include "gdl/program/move_sets.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ludens::gdl {

namespace {

class Teller {
 public:
  Teller(const Network& from, const std::vector<bool>& by_sets, const StopSignal* stop)
      : from_(from), by_sets_(by_sets), poll_(stop), edges_(from.gates.size(), kFalse) {
    for (const Network::Fluent& f : from.fluents) {
      const auto index = static_cast<std::uint32_t>(out_.network.fluents.size());
      const Edge e = out_.network.gates.add_input(Gates::Kind::Fluent, index);
      out_.network.fluents.push_back({f.id, node_of(e), kFalse, f.initially});
      edges_[f.node] = e;
    }
    for (const Network::Move& m : from.moves) {
      NodeId node = 0;
      if (!by_sets[m.role]) {
        const auto index = static_cast<std::uint32_t>(out_.network.moves.size());
        node = node_of(edges_[m.node] = out_.network.gates.add_input(Gates::Kind::Move, index));
      }
      out_.network.moves.push_back({m.id, m.role, node, kFalse});
    }
  }

  std::optional<SetNetwork> run() {
    Network& to = out_.network;
    const std::vector<bool> used = from_.cone(roots(), &poll_);
    for (NodeId n = 0; n < used.size() && !poll_.stopped(); ++n) {
      if (used[n] && from_.gates.kind(n) == Gates::Kind::And) edges_[n] = add_gate(n);
    }
    if (poll_.stopped()) return std::nullopt;
    for (std::size_t f = 0; f < to.fluents.size(); ++f) {
      to.fluents[f].next = edge_of(from_.fluents[f].next);
    }
    for (std::size_t m = 0; m < to.moves.size(); ++m) {
      to.moves[m].legal = edge_of(from_.moves[m].legal);
    }
    to.terminal = edge_of(from_.terminal);
    to.goals.resize(from_.roles());
    list_members();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::vector<Edge> roots() const {
    std::vector<Edge> roots{from_.terminal};
    for (const Network::Move& m : from_.moves) roots.push_back(m.legal);
    for (const Network::Fluent& f : from_.fluents) roots.push_back(f.next);
    return roots;
  }

  [[nodiscard]] bool is_told(NodeId n) const {
    return from_.gates.kind(n) == Gates::Kind::Move &&
           by_sets_[from_.moves[from_.gates.index(n)].role];
  }

  // The edge of an output. It may be a move itself.
  Edge edge_of(Edge e) {
    const NodeId n = node_of(e);
    if (is_told(n)) return set_of({from_.gates.index(n)}) ^ (e & 1);
    return edges_[n] ^ (e & 1);
  }

  // A gate asks that the moves of its complemented inputs are not made: one set for each role.
  Edge add_gate(NodeId n) {
    std::vector<Edge> inputs;
    std::map<RoleIndex, std::vector<std::uint32_t>> members;
    if (poll_(from_.gates.inputs(n).size())) return kFalse;
    for (const Edge e : from_.gates.inputs(n)) {
      if (is_inverted(e) && is_told(node_of(e))) {
        const std::uint32_t move = from_.gates.index(node_of(e));
        members[from_.moves[move].role].push_back(move);
      } else {
        inputs.push_back(edge_of(e));
      }
    }
    for (auto& [role, moves] : members) inputs.push_back(invert(set_of(std::move(moves))));
    return out_.network.gates.conjunction(inputs);
  }

  Edge set_of(std::vector<std::uint32_t> moves) {
    const auto [found, is_new] = sets_.try_emplace(std::move(moves), kFalse);
    if (is_new) {
      const auto index = static_cast<std::uint32_t>(out_.sets.size());
      found->second = out_.network.gates.add_input(Gates::Kind::Move, index);
      out_.sets.push_back(node_of(found->second));
      members_.push_back(&found->first);
    }
    return found->second;
  }

  void list_members() {
    auto& first = out_.first_member;
    first.assign(from_.moves.size() + 1, 0);
    for (const auto* moves : members_) {
      for (const std::uint32_t m : *moves) ++first[m + 1];
    }
    for (std::size_t m = 0; m < from_.moves.size(); ++m) first[m + 1] += first[m];
    out_.member_of.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t set = 0; set < members_.size(); ++set) {
      for (const std::uint32_t m : *members_[set]) out_.member_of[next[m]++] = set;
    }
  }

  const Network& from_;
  const std::vector<bool>& by_sets_;
  StopPoll poll_;
  SetNetwork out_;
  std::vector<Edge> edges_;  // [old node] in the new network
  std::map<std::vector<std::uint32_t>, Edge> sets_;
  std::vector<const std::vector<std::uint32_t>*> members_;  // [set]
};

}  // namespace

std::optional<SetNetwork> tell_by_sets(const Network& network, const std::vector<bool>& by_sets,
                                       const StopSignal* stop) {
  return Teller(network, by_sets, stop).run();
}

}  // namespace ludens::gdl
