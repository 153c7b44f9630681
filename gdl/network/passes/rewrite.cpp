// SPDX-License-Identifier: MIT
#include "gdl/network/passes/rewrite.h"

#include <algorithm>

#include "gdl/network/copier.h"
#include "gdl/network/factor.h"

namespace ludens::gdl {

namespace {

/// Makes replaced gates with what is known about moves. The moves of `to` must exist.
class FactoredGates final : public SameGates {
 public:
  FactoredGates(const Network& from, Network& to, const ReplacedGates& replaced, StopPoll& poll)
      : SameGates(from, to), replaced_(replaced), factoring_(to, &poll) {}

  std::span<const Edge> inputs(NodeId gate, std::span<const Edge> inputs) override {
    const auto found = replaced_.find(gate);
    return found == replaced_.end() ? inputs : std::span<const Edge>(found->second);
  }
  Edge gate(NodeId /*gate*/, std::vector<Edge>& copied) override {
    for (Edge& e : copied) e = invert(e);
    return invert(factoring_.disjunction(copied));
  }

 private:
  const ReplacedGates& replaced_;
  Factoring factoring_;
};

void substitute(Copier& copier, NodeId n, Known known) {
  if (known != Known::Open) copier.substitute(n, known == Known::True ? kTrueEdge : kFalse);
}

}  // namespace

Network rewrite(const Network& network, const std::vector<Known>& fluents,
                const std::vector<Known>& moves, const StopSignal* stop,
                const ReplacedGates& replaced) {
  NodeId nodes = 0;
  for (const auto& [node, inputs] : replaced) nodes = std::max(nodes, node + 1);
  StopPoll poll(stop);
  Copier copier(network, &poll, nodes);
  for (std::size_t f = 0; f < fluents.size(); ++f) {
    substitute(copier, network.fluents[f].node, fluents[f]);
  }
  for (std::size_t m = 0; m < moves.size(); ++m) {
    substitute(copier, network.moves[m].node, moves[m]);
  }
  Network to;
  copier.add_fluents(to);
  copier.add_moves(to);
  FactoredGates maker(network, to, replaced, poll);
  copier.copy_step(to, maker);
  copier.copy_goals(to, maker);
  copier.copy_percepts(to, maker);
  copier.copy_updates(to, maker);
  return to;
}

Network rewrite(const Network& network, const StopSignal* stop, const ReplacedGates& replaced) {
  return rewrite(network, {}, {}, stop, replaced);
}

}  // namespace ludens::gdl
