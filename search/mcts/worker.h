// SPDX-License-Identifier: MIT
// One thread's share of a search: selection, expansion, playouts and backpropagation in passes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "search/evaluation/learned_evaluation.h"
#include "search/mcts/backpropagation.h"
#include "search/mcts/shared_search.h"
#include "search/strategy/stopping.h"

namespace ludens::search::mcts {

/// How many descents a pass has, and how many playouts each of them makes.
struct PassSize {
  std::uint32_t leaves = 1;
  gdl::PlayoutOptions playouts;
};

/// Works with its own context and its own random numbers. One thread at a time may use it.
class Worker {
 public:
  /// One worker of a search collects dead nodes, every `patience` passes; 0: another worker does.
  Worker(SharedSearch& search, gdl::Rng rng, gdl::MemoryBudget* memory, unsigned patience)
      : search_(search), rng_(rng), memory_(memory), patience_(patience) {}

  /// Sets the machine of the next passes; a machine that is already known keeps its context.
  void use(const gdl::Machine* machine);
  /// Sets the machine of the next playouts, if it differs: it has the same states, but a policy.
  void play_on(const gdl::Machine* player);
  [[nodiscard]] gdl::Machine::Context& context() { return *context_; }

  /// Makes passes until the deadline, the end of the descents, or the end of the search; calls
  /// `after_pass` after each.
  template <typename AfterPass>
  void run(const PassSize& size, const Deadline& deadline, AfterPass&& after_pass) {
    context_->limits.stop = player_context().limits.stop = &deadline;
    while (!deadline.stop_requested() && pass(size)) after_pass();
    context_->limits.stop = player_context().limits.stop = nullptr;
  }

 private:
  [[nodiscard]] gdl::Machine::Context& player_context() {
    return player_context_ ? *player_context_ : *context_;
  }
  /// False if there was nothing to do.
  bool pass(const PassSize& size);
  std::uint32_t claim(std::uint32_t leaves);
  void select(std::uint32_t count);
  void take(std::uint32_t index);
  void settle(const Descents::Group& group);
  gdl::Status evaluate(const gdl::PlayoutOptions& options);
  gdl::Status evaluate_leaves();
  void evaluate_by_values();
  gdl::Status play(gdl::PlayoutOptions options);
  void fetch_places();
  void fetch_parents();
  void backpropagate(gdl::Status status, std::uint32_t playouts);
  void count_in();
  void collect();
  void bring_back();
  void take_leaf_evaluation(std::uint32_t descent, std::size_t ended);
  void give_prior(NodeId id, std::size_t ended);
  template <typename Goal>
  void take_goals(std::uint32_t descent, std::span<const Goal> goals, std::uint32_t playouts,
                  bool at_the_end);
  NodeId place(const Descents::Group& group, std::size_t pair);
  void prove(const Descents::Group& group);
  void refresh();
  void learn_from_paths(std::uint32_t playouts);
  void list_moves(std::size_t start);

  SharedSearch& search_;
  gdl::Rng rng_;
  gdl::MemoryBudget* memory_;
  const gdl::Machine* machine_ = nullptr;
  std::unique_ptr<gdl::Machine::Context> context_;
  const gdl::Machine* player_ = nullptr;                   // of playouts
  std::unique_ptr<gdl::Machine::Context> player_context_;  // if that is another machine
  unsigned patience_;
  unsigned waited_ = 0;
  std::size_t nodes_seen_ = 0;  // nodes made in the graph when it last decided whether to collect
  /// Passes of one descent that are left after one that exceeded the budget: they find out which of
  /// its descents did.
  std::uint32_t single_passes_ = 0;

  // For the current pass; reused.
  SelectionPolicy policy_;
  LeafEvaluation leaf_evaluation_;
  std::shared_ptr<const gdl::MoveWeights> weights_;
  bool counted_ = false;    // whether moves were counted in this pass
  std::uint32_t pass_ = 0;  // modulo 2^32
  GoalSums goal_sums_;
  bool at_once_ = false;
  Spread spread_;
  std::uint64_t completed_ = 0, nodes_ = 0, cancelled_ = 0;
  std::uint32_t depth_ = 0;
  Selection selection_;
  Backpropagation backpropagation_;
  Descents descents_;
  std::vector<std::uint32_t> ended_;  // groups that need the machine
  gdl::StateBatch states_;            // [ended group]: the last node's state, or the leaf's
  std::vector<gdl::MoveId> moves_;    // [ended group * roles + role]; none for leaves
  std::vector<gdl::StateMove> pairs_;
  std::vector<gdl::StateView> starts_;
  gdl::Expansion expansion_;
  gdl::PlayoutSums sums_;
  StateEvaluator state_evaluator_;
  std::vector<double> leaf_values_;    // [ended group * roles + role], 0..1; nothing where terminal
  std::vector<float> value_;           // [role]
  std::vector<std::uint32_t> hashes_;  // [pair]
  std::vector<MadeMove> made_;         // in some playouts
  std::vector<std::uint64_t> goals_;   // of a descent, summed over its playouts
};

}  // namespace ludens::search::mcts
