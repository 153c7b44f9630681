// SPDX-License-Identifier: MIT
#include "search/auto/plan.h"

#include <cstdio>

namespace ludens::search {

namespace {

/// log10 of the ways to play (or of the states, where they were counted) up to which a search to
/// the end is tried.
constexpr double kSmall = 5.5;

bool is_small(const GameAnalysis& game) {
  return game.explored() || (game.playouts > 0 && game.cut == 0 && game.tree_magnitude <= kSmall);
}

std::string sure(const Fact& fact) {
  return fact.proved ? "" : " (as sampled)";
}

std::string describe(const GameAnalysis& game) {
  std::string kind = game.players == 1   ? "one player"
                     : game.players == 2 ? "two players"
                                         : std::to_string(game.players) + " players";
  if (game.players > 1) {
    kind += game.turn_taking.holds ? ", turn-taking" : ", simultaneous moves";
    if (game.turn_taking.holds) kind += sure(game.turn_taking);
    kind += game.fixed_sum.holds ? ", fixed-sum" : ", not fixed-sum";
    kind += sure(game.fixed_sum);
  }
  if (game.chance.holds) kind += ", chance";
  if (game.states) return kind + ", " + std::to_string(*game.states) + " states";
  char size[64];
  std::snprintf(size, sizeof size, ", about 1e%.0f ways to play", game.tree_magnitude);
  return kind + size;
}

/// The search that suits the kind, and why it does.
void choose_full_search(const GameAnalysis& game, AutoPlan& plan) {
  if (game.chance.holds) {
    if (plan.adversarial) {
      plan.full_search = "expectimax";
      plan.why = "expectimax weighs chance exactly";
    }
  } else if (game.roles == 1) {
    plan.full_search = "puzzle";
    plan.alone = true;
    plan.why = "puzzle looks for the best end of all by several searches, and follows its plan";
  } else if (game.players == 1) {
    plan.full_search = "exhaustive";
    plan.why = "exhaustive search looks for the best end of all";
  } else if (plan.adversarial) {
    plan.full_search = "alphabeta";
    plan.extends_trial = true;
    plan.why = "alphabeta where it will reach the end in time, or beats mcts in the start clock";
  } else if (game.turn_taking.holds) {
    plan.full_search = "maxn";
    plan.why = "maxn, since each role plays for itself";
  } else if (game.players == 2 && game.fixed_sum.holds) {
    plan.full_search = "nash";
    plan.equilibrium = true;
    plan.why = "nash where all states can be found in a trial";
  }
}

}  // namespace

AutoPlan plan_for(const GameAnalysis& game) {
  AutoPlan plan;
  plan.kind = describe(game);
  plan.chance = game.chance.holds;
  plan.adversarial =
      game.players == 1 || (game.players == 2 && game.fixed_sum.holds && game.turn_taking.holds);
  plan.few_states = plan.adversarial && game.players == 2;
  plan.look_for_a_win = game.players > 1;
  plan.length = game.depth.value_or(game.longest);
  plan.usual_length = game.mean_length;
  plan.choosers = choosers(game);
  choose_full_search(game, plan);
  // One player has no opponents: any end that the search reaches is certain.
  const bool always =
      plan.extends_trial || plan.equilibrium || plan.alone || plan.full_search == "exhaustive";
  if (!always && !is_small(game) && !plan.full_search.empty()) {
    plan.why = "too large for " + std::string(plan.full_search);
    plan.full_search = {};
  } else if (plan.full_search.empty()) {
    plan.why = game.chance.holds
                   ? "no full search for chance among several that are not adversaries"
                   : "no full search for simultaneous moves";
  }
  if (plan.few_states) plan.why = "retrograde where all states can be found; " + plan.why;
  if (plan.look_for_a_win) plan.why = "bounded looks for a forced win; " + plan.why;
  if (!plan.alone) plan.why += "; mcts for the rest";
  return plan;
}

std::string_view main_strategy(const AutoPlan& plan, const GameAnalysis& game) {
  if (plan.alone) return plan.full_search;
  return !plan.full_search.empty() && is_small(game) ? plan.full_search : "mcts";
}

}  // namespace ludens::search
