// SPDX-License-Identifier: MIT
// Monte Carlo counterfactual regret minimization (Lanctot and others 2009; Lanctot 2013).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/hidden/histories.h"
#include "search/hidden/information_sets.h"
#include "search/hidden/regrets.h"

namespace ludens::search::hidden {

struct MccfrPolicy {
  bool external = true;       // all moves of the player who learns; otherwise one of them, drawn at
                              // random
  double exploration = 0.6;   // share of uniform draws among these
  std::uint32_t steps = 200;  // a longer game is truncated there, and counts 0
  std::size_t most_nodes = std::size_t{1} << 20;  // of a pass; ends with the node that surpasses it
};

/// Traversals of the game from its initial state. In each, one player learns; chance and the others
/// draw their moves by their current strategy. With external sampling all moves of the player who
/// learns are followed. With outcome sampling only one is, and its result is divided by the
/// probability that it was drawn. The traversals of a pass go down together, one turn at a time, so
/// that machines are called in batches; all use the regrets from before the pass. The mean strategy
/// is summed up when a role does not learn (stochastically weighted averaging). The arguments must
/// outlive it.
class MccfrSearch {
 public:
  MccfrSearch(const gdl::Machine& machine, const MccfrPolicy& policy,
              InformationSets<Regrets>& sets, gdl::Rng& rng, gdl::MemoryBudget* memory);

  /// Makes this many traversals for each player. After anything but Ok a part of a pass may be
  /// missing; OverBudget is also returned if they have more nodes than the policy allows.
  gdl::Status run(std::size_t traversals, const gdl::StopSignal& stop);

  [[nodiscard]] std::uint64_t states() const { return states_; }

 private:
  /// A state of one traversal.
  struct Node {
    std::size_t place = 0;    // among the states of its turn
    Regrets* set = nullptr;   // of the player who learns; null: no choice
    std::size_t arms = 0;     // where its moves are in `arms_`
    std::uint32_t count = 0;  // of these
    std::size_t parent = 0;   // of the root: itself
    std::uint32_t arm = 0;    // of the parent that leads here
    double weight = 1;        // one over the probability that the player's earlier moves were drawn
    double own = 1;           // probability of the player's earlier moves
    double value = 0;         // of the player, 0..1
  };
  struct ArmOfNode {
    std::uint32_t place;  // in the set
    double chance;        // by the current strategy
    double drawn;         // probability that it is followed; 0: it is not
    double value;         // an estimate of its value
  };

  gdl::Status run_for(gdl::RoleIndex player, std::size_t traversals);
  gdl::Status go_down(gdl::RoleIndex player);
  void propose(std::size_t node, gdl::RoleIndex player);
  bool choose_others(std::size_t node, gdl::RoleIndex player);
  void open_arms(std::size_t node, gdl::RoleIndex player, std::span<const gdl::MoveId> legal);
  void add_child(std::size_t node, std::uint32_t arm, double drawn, gdl::MoveId own,
                 gdl::RoleIndex player);
  void learn();
  [[nodiscard]] std::span<const gdl::MoveId> legal(std::size_t node, gdl::RoleIndex role) const;

  const gdl::Machine& machine_;
  const MccfrPolicy policy_;
  InformationSets<Regrets>& sets_;
  gdl::Rng& rng_;
  std::unique_ptr<gdl::Machine::Context> context_;
  const std::size_t roles_;
  const bool all_is_seen_, alone_;

  Histories initial_;  // empty: not needed yet

  std::vector<Node> nodes_;           // parents before their children
  std::vector<std::uint64_t> known_;  // [node * roles + role]
  std::vector<ArmOfNode> arms_;
  std::vector<std::size_t> frontier_, next_frontier_;  // nodes of this turn, and of the next
  std::vector<gdl::MoveId> joints_;                    // [next * roles + role]
  std::vector<gdl::MoveId> joint_;
  std::vector<std::uint32_t> places_;
  std::vector<double> chances_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion now_, after_;
  gdl::Percepts percepts_;
  std::uint32_t turn_ = 0;
  std::uint64_t states_ = 0;
};

}  // namespace ludens::search::hidden
