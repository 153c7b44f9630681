// SPDX-License-Identifier: MIT
// What the threads of a search share: the graph, what is counted, and when the search ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "search/evaluation/learned_evaluation.h"
#include "search/learning/value_function.h"
#include "search/mcts/goal_sums.h"
#include "search/mcts/graph.h"
#include "search/mcts/grave.h"
#include "search/mcts/move_statistics.h"
#include "search/mcts/ngrams.h"
#include "search/mcts/selection.h"
#include "search/mcts/spread.h"

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
  /// limited number of descents follows: to prove which other moves are worth as much, and then,
  /// without bounds, to see where other roles may go wrong.
  void look_for_the_end();
  /// Notes the best goals that are left, and whether proof numbers guide the search to them.
  void look_for_proofs(bool two_in_turn);
  /// Adds the moves counted in some playouts.
  void learn_moves(const gdl::PlayoutSums& sums, std::size_t roles);
  /// Halves the weight of the move statistics, because the match has moved on.
  void fade_moves();
  void forget_moves();
};

}  // namespace ludens::search::mcts
