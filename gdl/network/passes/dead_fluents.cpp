#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

Network remove_dead_fluents(const Network& network, const PassBudget& /*budget*/) {
  std::vector<Edge> roots{network.terminal};
  for (const Network::Move& m : network.moves) roots.push_back(m.legal);
  for (const auto& role : network.goals) {
    for (const Network::Goal& g : role) roots.push_back(g.edge);
  }
  std::vector<Known> fluents(network.fluents.size(), Known::False);
  for (bool grown = true; grown;) {
    grown = false;
    const std::vector<bool> used = network.cone(roots);
    for (std::size_t f = 0; f < fluents.size(); ++f) {
      if (fluents[f] == Known::Open || !used[network.fluents[f].node]) continue;
      fluents[f] = Known::Open;
      roots.push_back(network.fluents[f].next);
      grown = true;
    }
  }
  return rewrite(network, fluents, std::vector<Known>(network.moves.size(), Known::Open));
}

}  // namespace ludens::gdl
