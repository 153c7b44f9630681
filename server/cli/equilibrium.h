// SPDX-License-Identifier: MIT
// Equilibria of games of hidden information for `ludens solve` and `ludens explain`, by CFR+.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gdl/text/error.h"
#include "search/hidden/extensive_form.h"
#include "server/cli/commands.h"
#include "server/cli/study.h"

namespace ludens::server {

/// The progress of the iterations.
struct EquilibriumStep {
  std::uint64_t iterations = 0;
  double exploitability = 100;  // in goal points
  std::vector<double> values;   // [role]
  /// No role could gain a ten-thousandth of a goal point by another strategy.
  [[nodiscard]] bool solved() const { return exploitability <= 1e-4; }
};

/// A completely followed game, and the strategies found for it.
struct FoundEquilibrium {
  search::hidden::ExtensiveForm form;
  search::hidden::BehaviourStrategy strategy;
  EquilibriumStep last;
};

/// Follows all histories from a state on and improves the strategies of all roles until they are
/// solved or the deadline comes. `form_made` is called once, `improved` each time the iterations
/// have doubled, and at the end. Fails with a sentence if there are too many histories.
gdl::Result<FoundEquilibrium> seek_equilibrium(
    Study& study, gdl::StateView from, const search::Deadline& deadline,
    const std::function<void(const search::hidden::ExtensiveForm&)>& form_made,
    const std::function<void(const EquilibriumStep&)>& improved);

/// What the role has done and perceived before it decides, step by step: `( card jack ); pass,
/// bet`.
std::string story_of(const search::hidden::ExtensiveForm& form,
                     const search::hidden::ExtensiveForm::InformationSet& set, const Study& study);

/// `ludens solve`: prints a line each time the iterations have doubled, then the strategy; the
/// policy file gets all of it. Refuses what is not of a whole game: one role, the values of moves,
/// and a position behind moves that hide something.
int find_equilibrium(const SolveOptions& options, Study& study);

}  // namespace ludens::server
