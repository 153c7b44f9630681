// SPDX-License-Identifier: MIT
// The common parts of strategies that search a tree depth-first: the first choice, iterations, and
// when to end.
#pragma once

#include <limits>
#include <memory>

#include "search/evaluation/learned_evaluation.h"
#include "search/strategy/options.h"
#include "search/strategy/strategy.h"
#include "search/tree/game_tree.h"
#include "search/tree/root_moves.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

/// The sequence of steps.
struct DeepeningSettings {
  bool iterative = true;     // depth 1, 2, 3, ... until nothing is cut off at the depth
  std::size_t depth = 0;     // cap in plies; 0: none
  int threshold = 100;       // a value proved to be at least this ends the search
  std::uint64_t states = 0;  // cap on states visited; 0: none
  GameTree::Keep keep = GameTree::Keep::Path;
};

/// Common options of tree searches.
inline constexpr OptionInfo kIterativeOption{
    "iterative", "on", "deepen step by step, so that there is an answer at any time", "on|off"};
inline constexpr OptionInfo kNodesOption{
    "nodes", "0", "cap on states visited per move, for repeatable matches; 0: none"};

/// `kNodesOption`, `kEvaluationOption` and `kSamplesOption` must be among the strategy's own
/// options; without `kIterativeOption` there is one step.
class TreeStrategy : public Strategy {
 public:
  TreeStrategy(std::string_view name, const Options& options, const Resources& resources);
  [[nodiscard]] std::string_view name() const final { return name_; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) final;
  [[nodiscard]] std::string explanation() const final { return explanation_; }

 protected:
  virtual std::unique_ptr<TreeSearch> make_search(const Position& position) = 0;
  /// Whether what it proves of a move holds whatever the others do.
  [[nodiscard]] virtual bool guarantees() const { return true; }
  /// The evaluation that the option `evaluation` selects, for one search.
  [[nodiscard]] std::unique_ptr<Evaluation> evaluation();

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Resources& resources() const { return resources_; }
  [[nodiscard]] gdl::Rng& rng() { return rng_; }
  /// Positions of the match that a search in one step treats as met before.
  [[nodiscard]] std::span<const gdl::StateHash> left_behind() const { return left_behind_; }

 private:
  void deepen(TreeSearch& search, GameTree& tree, RootMoves& root);
  void follow(const Position& position);
  void leave_behind(const Position& position, const RootMoves& root, const Incumbent& incumbent);

  std::string_view name_;
  Options options_;
  Resources resources_;
  DeepeningSettings settings_;
  gdl::Rng rng_;
  std::optional<EvaluationLearner> learner_;  // if the evaluation must be learned
  std::string explanation_;

  /// Positions of the match from which a value was proved that each later one keeps without them,
  /// and the moves by which it does. A search in one step finds no shortest way, so that without
  /// this it could go from one won position to another for ever.
  std::vector<gdl::StateHash> left_behind_;
  std::shared_ptr<const gdl::Machine> machine_;  // of the last of them
  gdl::RoleIndex role_ = 0;
  std::vector<gdl::MoveId> history_;
  gdl::MoveId chosen_ = gdl::kNoMove;
};

}  // namespace ludens::search
