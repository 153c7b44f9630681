// SPDX-License-Identifier: MIT
#include "gdl/program/move_sets.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "gdl/network/copier.h"

namespace ludens::gdl {

namespace {

/// Copies a network; gates that read moves of roles described by sets read sets instead.
class SetNetworkBuilder final : private NodeMaker {
 public:
  SetNetworkBuilder(const Network& from, const std::vector<bool>& by_sets, const StopSignal* stop)
      : from_(from), by_sets_(by_sets), poll_(stop), copier_(from, &poll_) {
    Network& to = out_.network;
    to.goals.resize(from.roles());
    copier_.add_fluents(to);
    for (const Network::Move& m : from.moves) {
      if (by_sets[m.role]) {
        to.moves.push_back({m.id, m.role, 0, kFalse});
      } else {
        copier_.substitute(m.node, to.add_move(m.id, m.role));
      }
      to.moves.back().legal = m.legal;
    }
  }

  std::optional<SetNetwork> run() {
    copier_.copy_gates(from_.cone(roots(), &poll_), *this);
    copier_.copy_step(out_.network, *this);
    if (poll_.stopped()) return std::nullopt;
    list_members();
    out_.parts = find_families(out_.network, poll_);
    if (poll_.stopped()) return std::nullopt;
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
  // A gate requires that the moves of these inputs are not made: one set for each role.
  [[nodiscard]] bool joins_set(Edge e) const { return is_inverted(e) && is_told(node_of(e)); }

  std::span<const Edge> inputs(NodeId /*gate*/, std::span<const Edge> inputs) override {
    others_.clear();
    std::ranges::copy_if(inputs, std::back_inserter(others_),
                         [this](Edge e) { return !joins_set(e); });
    return others_;
  }

  Edge gate(NodeId gate, std::vector<Edge>& copied) override {
    std::map<RoleIndex, std::vector<std::uint32_t>> members;
    for (const Edge e : from_.gates.inputs(gate)) {
      if (!joins_set(e)) continue;
      const std::uint32_t move = from_.gates.index(node_of(e));
      members[from_.moves[move].role].push_back(move);
    }
    for (auto& [role, moves] : members) copied.push_back(invert(set_of(std::move(moves))));
    return out_.network.gates.conjunction(copied);
  }

  // A move that a gate or an output reads alone is a set with one element.
  Edge input(NodeId input) override {
    return is_told(input) ? set_of({from_.gates.index(input)}) : kFalse;
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
  Copier copier_;
  SetNetwork out_;
  std::vector<Edge> others_;  // scratch of inputs
  std::map<std::vector<std::uint32_t>, Edge> sets_;
  std::vector<const std::vector<std::uint32_t>*> members_;  // [set]
};

}  // namespace

std::optional<SetNetwork> tell_by_sets(const Network& network, const std::vector<bool>& by_sets,
                                       const StopSignal* stop) {
  return SetNetworkBuilder(network, by_sets, stop).run();
}

}  // namespace ludens::gdl
