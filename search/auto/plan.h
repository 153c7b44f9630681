// SPDX-License-Identifier: MIT
// Which searches suit a game, from what is known about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "search/analysis/game_analysis.h"

namespace ludens::search {

/// What `auto` does at each move; `mcts` comes last and gets the rest of the time.
struct AutoPlan {
  /// A short `bounded` search first, for a win that can be forced.
  bool look_for_a_win = false;
  /// Whether what is bad for a role is good for another that moves after it. Then moves that a
  /// pessimistic search proves to be worse really are worse, and not only against the worst of
  /// partners.
  bool adversarial = false;
  bool chance = false;
  /// The search that can finish the game; empty if there is none for this kind.
  std::string_view full_search;
  /// Whether it is tried at every move, gets more than a trial if its growth predicts that it will
  /// finish, and races against `mcts`; otherwise it is only used for games that are small from the
  /// start.
  bool extends_trial = false;
  /// Whether its choice is part of an equilibrium: it is tried before anything is learned, and what
  /// it finds are no bounds.
  bool equilibrium = false;
  /// Whether the game may have so few states that all are solved, once, before anything else.
  bool few_states = false;
  /// The search gets all of the time, and `mcts` none.
  bool alone = false;
  /// Joint moves from the initial state to the end of a long game.
  std::uint32_t length = 0;
  /// The same for a typical game.
  double usual_length = 0;
  /// The most players who choose in the same joint move.
  std::size_t choosers = 1;

  std::string kind;  // of the game, for people: "two players, turn-taking, fixed-sum (proved)"
  std::string why;   // the chosen searches, and the reason
};

AutoPlan plan_for(const GameAnalysis& game);

/// The most players who choose in the same joint move: one where they move in turn, otherwise all.
inline std::size_t choosers(const GameAnalysis& game) {
  return game.turn_taking.holds ? 1 : game.players;
}

/// The strategy that does most of the work in this plan: `full_search` if the game is small or it
/// is alone, otherwise `mcts`.
std::string_view main_strategy(const AutoPlan& plan, const GameAnalysis& game);

}  // namespace ludens::search
