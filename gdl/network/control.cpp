// SPDX-License-Identifier: MIT
#include "gdl/network/control.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

namespace ludens::gdl {

namespace {

constexpr std::size_t kMostPhases = 4;

/// Which edges are false if one fluent is, whatever else holds: for up to 64 fluents at a time.
class WithoutFluents {
 public:
  WithoutFluents(const Network& network, const std::vector<NodeId>& fluents, StopPoll& poll)
      : no_(network.gates.size(), 0), yes_(network.gates.size(), 0) {
    const Gates& gates = network.gates;
    no_[0] = ~std::uint64_t{0};
    for (std::size_t i = 0; i < fluents.size(); ++i) no_[fluents[i]] |= std::uint64_t{1} << i;
    for (NodeId n = 0; n < gates.size(); ++n) {
      if (gates.kind(n) != Gates::Kind::And) continue;
      if (poll(gates.inputs(n).size())) return;
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
  std::vector<std::uint64_t> no_, yes_;  // [node], one bit per fluent
};

std::vector<std::vector<Edge>> legal_by_role(const Network& network) {
  std::vector<std::vector<Edge>> legal(network.roles());
  for (const Network::Move& m : network.moves) legal[m.role].push_back(m.legal);
  return legal;
}

/// Fluents reached on the way down from an edge through ANDs, and through one branch of each OR: if
/// the edge needs a fluent, that is among them.
void collect_candidates(const Network& network, Edge root, std::vector<NodeId>& found,
                        StopPoll& poll) {
  std::vector<Edge> stack{root};
  boost::unordered_flat_set<Edge> seen;  // gates are shared: there may be far more ways than gates
  while (!stack.empty() && found.size() < 64) {
    const Edge e = stack.back();
    stack.pop_back();
    if (!seen.insert(e).second) continue;
    if (poll(1)) return;
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

/// The fluent without which most of these moves are impossible; these moves are then dropped.
/// nullopt if there is none.
std::optional<std::uint32_t> take_control(const Network& network, std::vector<Edge>& legal,
                                          StopPoll& poll) {
  std::vector<NodeId> candidates;
  for (const std::size_t at : {legal.size() / 2, legal.size() - 1, std::size_t{0}}) {
    collect_candidates(network, legal[at], candidates, poll);
  }
  const WithoutFluents without(network, candidates, poll);
  if (poll.stopped()) return std::nullopt;
  std::size_t best = candidates.size(), fewest = legal.size();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (poll(legal.size())) return std::nullopt;
    const auto left = static_cast<std::size_t>(std::ranges::count_if(
        legal, [&](Edge e) { return (without.impossible(e) >> i & 1) == 0; }));
    if (left >= fewest) continue;
    fewest = left;
    best = i;
  }
  if (best == candidates.size()) return std::nullopt;
  std::erase_if(legal, [&](Edge e) { return (without.impossible(e) >> best & 1) != 0; });
  return network.gates.index(candidates[best]);
}

std::vector<std::uint32_t> phases_of(const Network& network, std::vector<Edge> legal,
                                     StopPoll& poll) {
  std::vector<std::uint32_t> phases;
  while (legal.size() > 1) {
    const auto control = take_control(network, legal, poll);
    if (!control || phases.size() == kMostPhases) return {};
    phases.push_back(*control);
  }
  return phases;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> find_phases(const Network& network,
                                                    const StopSignal* stop) {
  StopPoll poll(stop);
  std::vector<std::vector<std::uint32_t>> phases;
  for (const std::vector<Edge>& legal : legal_by_role(network)) {
    phases.push_back(phases_of(network, legal, poll));
  }
  return phases;
}

std::vector<std::optional<std::uint32_t>> find_controls(const Network& network,
                                                        const StopSignal* stop) {
  std::vector<std::optional<std::uint32_t>> controls;
  for (const std::vector<std::uint32_t>& phases : find_phases(network, stop)) {
    controls.push_back(phases.size() == 1 ? std::optional(phases.front()) : std::nullopt);
  }
  return controls;
}

std::vector<bool> moves_that_need(const Network& network, std::uint32_t fluent,
                                  const StopSignal* stop) {
  StopPoll poll(stop);
  const WithoutFluents without(network, {network.fluents[fluent].node}, poll);
  std::vector<bool> needs;
  for (const Network::Move& m : network.moves) needs.push_back(without.impossible(m.legal) != 0);
  return needs;
}

}  // namespace ludens::gdl
