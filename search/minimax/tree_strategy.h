// SPDX-License-Identifier: MIT
// The common parts of strategies that search a tree depth-first: the first choice, iterations, and
// when to end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/learning/match_learning.h"
#include "search/minimax/evaluation.h"
#include "search/strategy/options.h"
#include "search/strategy/strategy.h"
#include "search/tree/game_tree.h"
#include "search/tree/root_moves.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

struct TreeSettings {
  bool iterative = true;       // depth 1, 2, 3, ... until nothing is cut off at the depth
  std::size_t depth = 0;       // cap in plies; 0: none
  int threshold = 100;         // a value proved to be at least this ends the search
  std::uint64_t states = 0;    // cap on states visited; 0: none
  std::uint64_t playouts = 0;  // cap on those of an evaluation; 0: none
  EvaluationKind evaluation = EvaluationKind::Mixed;
  Ties ties = Ties::Random;
  gdl::Rng rng{1};
};

/// Options of tree searches.
inline constexpr OptionInfo kIterativeOption{
    "iterative", "on", "deepen step by step, so that there is an answer at any time", "on|off"};
inline constexpr OptionInfo kNodesOption{
    "nodes", "0", "cap on states visited per move, for repeatable matches; 0: none"};
inline constexpr OptionInfo kEvaluationOption{
    "evaluation", "mixed",
    "at the depth limit: the goal of the state, mobility, their mean (mixed), the mean of eight "
    "playouts, values learned by self-play in the first quarter of the time (learned), or 50 "
    "(none)",
    kEvaluationKinds};
/// The settings by these options, where the strategy has them, and by the common ones.
TreeSettings tree_settings(const Options& options);

class TreeStrategy : public Strategy {
 public:
  TreeStrategy(std::string_view name, const TreeSettings& settings, const Resources& resources);
  [[nodiscard]] std::string_view name() const final { return name_; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) final;
  [[nodiscard]] std::string explanation() const final { return explanation_; }

 protected:
  virtual std::unique_ptr<TreeSearch> make_search(const Position& position) = 0;
  /// Whether what it proves of a move holds whatever the others do.
  [[nodiscard]] virtual bool guarantees() const { return true; }
  /// The evaluation of one search of the position.
  [[nodiscard]] std::unique_ptr<Evaluation> evaluation(const Position& position);

  [[nodiscard]] const TreeSettings& settings() const { return settings_; }
  [[nodiscard]] const Resources& resources() const { return resources_; }
  /// Positions of the match that a search in one step treats as met before.
  [[nodiscard]] std::span<const gdl::StateHash> left_behind() const { return left_behind_; }

 private:
  void deepen(TreeSearch& search, GameTree& tree, RootMoves& root);
  void follow(const Position& position);
  void leave_behind(const Position& position, const RootMoves& root, const Incumbent& incumbent);

  std::string_view name_;
  TreeSettings settings_;
  Resources resources_;
  gdl::Rng rng_;
  std::optional<MatchLearning> learning_;  // if the evaluation is learned
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
