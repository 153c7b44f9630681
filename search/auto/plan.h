// SPDX-License-Identifier: MIT
// Which searches suit a game, from what is known of it.
#pragma once

#include <string>
#include <string_view>

#include "search/analysis/game_analysis.h"

namespace ludens::search {

/// What `auto` does at each move; `mcts` comes last and has the rest of the time.
struct AutoPlan {
  /// A short `bounded` search first, for a win that can be forced.
  bool look_for_a_win = false;
  /// Whether what is bad for a role is good for another who moves after it, so that moves which a
  /// pessimistic search proves to be worse are worse, and not only against the worst of partners.
  bool adversarial = false;
  bool chance = false;
  /// The search that can finish the game; empty if there is none for this kind.
  std::string_view full_search;
  /// Whether it is tried at every move, and gets more than a trial where it says that it will
  /// finish; else it is only taken for games that are small from the start.
  bool measured = false;
  /// The search has all of the time, and `mcts` none.
  bool alone = false;
  /// Joint moves from the initial state to the end of a long game.
  std::uint32_t length = 0;
  /// And to that of a usual one.
  double usual_length = 0;

  std::string kind;  // of the game, for people: "two players, turn-taking, fixed-sum (proved)"
  std::string why;   // the searches taken, and for which reason
};

AutoPlan plan_for(const GameAnalysis& game);

/// The strategy that does most of the work in this plan: `full_search` where the game is small
/// or it is alone, else `mcts`.
std::string_view main_strategy(const AutoPlan& plan, const GameAnalysis& game);

}  // namespace ludens::search
