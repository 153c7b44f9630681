// SPDX-License-Identifier: MIT
// Counterfactual regret minimization+ (Tammelin 2014) over a whole game tree.
#pragma once

#include <cstdint>
#include <vector>

#include "search/hidden/extensive_form.h"

namespace ludens::search::hidden {

/// Each iteration updates the players one after another, each against the current strategies of the
/// others: regrets of all moves by their counterfactual values (Zinkevich and others 2007,
/// equations 5 to 8), kept from falling below zero, and the next strategy in proportion to them.
/// The result is the mean over all iterations, weighted by the probability with which the player
/// reaches a set and by the number of the iteration (linear averaging). For two players whose goals
/// add up to a constant it converges to an equilibrium; for others it is a good strategy without
/// that guarantee. The form must outlive it. For one thread.
class CfrPlus {
 public:
  explicit CfrPlus(const ExtensiveForm& form);

  /// False if `stop` (may be null) asked for it: players whose turn did not end have learned
  /// nothing, and it does not count as an iteration.
  bool iterate(const gdl::StopSignal* stop = nullptr);
  [[nodiscard]] std::uint64_t iterations() const { return iterations_; }
  /// The mean strategy; in sets that were never reached, all moves have the same probability.
  [[nodiscard]] BehaviourStrategy average() const;

 private:
  void match_regrets(gdl::RoleIndex player);
  bool hand_down(gdl::RoleIndex player, const gdl::StopSignal* stop);
  void follow_links(gdl::RoleIndex player);
  bool value(gdl::RoleIndex player, const gdl::StopSignal* stop);
  void learn(gdl::RoleIndex player);

  const ExtensiveForm& form_;
  std::uint64_t iterations_ = 0;
  std::vector<std::vector<SetId>> sets_of_;                   // [role]
  std::vector<double> regrets_, gains_, current_, averages_;  // [action]
  /// [history]: the reach by the player's own moves, and by those of others and of chance.
  std::vector<double> own_, others_;
  std::vector<double> values_;           // [history]: expected goal of the player
  std::vector<double> set_reach_;        // [set]: by the player's own moves
  std::vector<double> knowledge_reach_;  // merged: [knowledge], by the player's own moves
};

}  // namespace ludens::search::hidden
