// SPDX-License-Identifier: MIT
// One thread's share of a search: selection, expansion, playouts and backpropagation in passes.
#pragma once

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "search/evaluation/learned_evaluation.h"
#include "search/learning/value_function.h"
#include "search/mcts/backpropagation.h"
#include "search/mcts/goal_sums.h"
#include "search/mcts/grave.h"
#include "search/mcts/move_statistics.h"
#include "search/mcts/ngrams.h"
#include "search/mcts/selection.h"
#include "search/mcts/spread.h"
#include "search/strategy/stopping.h"

namespace ludens::search::mcts {

/// What a new position's evaluation is used for.
struct LeafEvaluation {
  const LearnedModel* model = nullptr;                    // null: there is none
  std::shared_ptr<const ValueFunction> values = nullptr;  // in its place; null: there are none
  double share = 0;  // share of a descent's value that comes from it; the rest comes from playouts
  std::uint32_t prior_visits = 0;  // the visits with which a new node begins, with its evaluation
                                   // as the mean
  [[nodiscard]] bool is_used() const {
    return (model != nullptr || values != nullptr) && (share > 0 || prior_visits > 0);
  }
};

/// What is learned from the results of playouts in which a move was made.
struct MoveLearning {
  double inverse_temperature = 0;  // for the weights of moves in playouts; 0: uniform
  bool order = false;              // whether moves that won most are tried first
  [[nodiscard]] bool counts() const { return inverse_temperature > 0 || order; }
};

/// What the threads of a search share. Several use the graph at a time, node by node; a thread that
/// needs it exclusively, to collect or to read more than one node, waits until they pause. `mutex`
/// guards everything else.
struct SharedSearch {
  SharedSearch(gdl::MemoryBudget* memory, std::size_t limit_bytes) : graph(memory, limit_bytes) {}

  std::mutex turnstile;  // taken before `in_use`, so that threads that wait for all others are not
                         // overtaken
  std::shared_mutex in_use;
  Graph graph;

  alignas(64) std::mutex mutex;
  SelectionPolicy policy;
  LeafEvaluation leaf_evaluation;
  MoveLearning learning;
  MoveStatistics moves;
  std::uint64_t next_weights = 0;  // playouts after which they are computed again; 0: never were
  std::shared_ptr<const gdl::MoveWeights> weights;  // null: uniform
  std::shared_mutex guides_in_use;                  // taken after all others
  std::optional<Grave> grave;
  std::optional<NGrams> ngrams;
  float proof_weight = 0;  // as in `ProofGoals`, if the game suits proof numbers
  GoalSums goal_sums;
  Spread spread;
  double spread_unit = 0;        // the standard deviation for which gamma is meant; 0: any
  gdl::RoleIndex role = 0;       // the role that thinks
  std::uint8_t threshold = 100;  // a goal that counts as the best
  bool bounds = true;            // whether bounds are kept
  bool at_once = false;          // whether a position was met where several roles choose
  std::uint64_t descents_left = 0;
  bool finished = false;        // nothing is left to find out
  bool seeks_mistakes = false;  // the value of the root is proved; others may still make mistakes
  std::uint64_t put_aside = 0;  // descents that are left if the proof does not hold
  std::uint64_t iterations = 0, nodes = 0;
  std::uint32_t depth = 0;

  /// Locks the graph for use alongside other threads, or without them; must be taken before
  /// `mutex`.
  [[nodiscard]] std::shared_lock<std::shared_mutex> lock_shared();
  [[nodiscard]] std::unique_lock<std::shared_mutex> lock_alone();

  /// Resets the counts, for at most this many descents, and no more than nodes can count. There
  /// must be a root.
  void restart(std::uint64_t descents);
  /// Whether this is a fixed-sum game for one or two, so that what is bad for one is good for the
  /// other and moves proved to be worse need not be searched. This is based on observation: if it
  /// turns out to be wrong, no bound is wrong, and the skipped moves are searched again.
  [[nodiscard]] bool adversarial() const;
  /// Notes whether the root is decided for the role that thinks. If it is neither won nor lost, a
  /// limited number of descents follows, without bounds, to see where other roles may go wrong.
  void look_for_the_end();
  /// Notes the best goals that are left, and whether proof numbers guide the search to them.
  void look_for_proofs(bool two_in_turn);
  /// Adds the moves counted in some playouts.
  void learn_moves(const gdl::PlayoutSums& sums, std::size_t roles);
  /// Halves the weight of the move statistics, because the match has moved on.
  void fade_moves();
  void forget_moves();
};

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
  gdl::Status judge();
  void judge_by_values();
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
  std::vector<double> judged_;         // [ended group * roles + role], 0..1; nothing where terminal
  std::vector<float> value_;           // [role]
  std::vector<std::uint32_t> hashes_;  // [pair]
  std::vector<MadeMove> made_;         // in some playouts
  std::vector<std::uint64_t> goals_;   // of a descent, summed over its playouts
};

}  // namespace ludens::search::mcts
