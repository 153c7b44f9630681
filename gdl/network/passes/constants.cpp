#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

// Three-valued simulation of all plays at once: an input is open once it can take both values.
class Ternary {
 public:
  explicit Ternary(const Network& network) : network_(network), values_(network.gates.size()) {
    for (const Network::Fluent& f : network.fluents) {
      fluents.push_back(f.initially ? Known::True : Known::False);
    }
    moves.assign(network.moves.size(), Known::False);
  }

  // One round; false when nothing changed.
  bool round() {
    evaluate();
    bool changed = false;
    for (std::size_t m = 0; m < moves.size(); ++m) {
      if (moves[m] == Known::Open || value(network_.moves[m].legal) == Known::False) continue;
      moves[m] = Known::Open;
      changed = true;
    }
    if (changed) evaluate();
    for (std::size_t f = 0; f < fluents.size(); ++f) {
      if (fluents[f] == Known::Open || value(network_.fluents[f].next) == fluents[f]) continue;
      fluents[f] = Known::Open;
      changed = true;
    }
    return changed;
  }

  std::vector<Known> fluents, moves;

 private:
  [[nodiscard]] Known value(Edge e) const {
    const Known v = values_[node_of(e)];
    if (v == Known::Open || !is_inverted(e)) return v;
    return v == Known::True ? Known::False : Known::True;
  }

  [[nodiscard]] Known gate(NodeId n) const {
    Known result = Known::True;
    for (const Edge e : network_.gates.inputs(n)) {
      const Known v = value(e);
      if (v == Known::False) return v;
      if (v == Known::Open) result = v;
    }
    return result;
  }

  void evaluate() {
    for (NodeId n = 0; n < values_.size(); ++n) {
      switch (network_.gates.kind(n)) {
        case Gates::Kind::Constant:
          values_[n] = Known::False;
          break;
        case Gates::Kind::Fluent:
          values_[n] = fluents[network_.gates.index(n)];
          break;
        case Gates::Kind::Move:
          values_[n] = moves[network_.gates.index(n)];
          break;
        case Gates::Kind::Feedback:
          values_[n] = Known::Open;
          break;
        case Gates::Kind::And:
          values_[n] = gate(n);
          break;
      }
    }
  }

  const Network& network_;
  std::vector<Known> values_;
};

}  // namespace

Network propagate_constants(const Network& network, const PassBudget& budget) {
  Ternary simulation(network);
  std::uint64_t work = 0;
  while (simulation.round()) {
    work += network.gates.size() * 2;
    if (work > budget.work || (budget.stop != nullptr && budget.stop->stop_requested())) {
      return network;  // half a simulation proves nothing
    }
  }
  return rewrite(network, simulation.fluents, simulation.moves);
}

}  // namespace ludens::gdl
