// SPDX-License-Identifier: MIT
#include "server/cli/equilibrium.h"

#include <boost/json.hpp>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "gdl/text/printable.h"
#include "search/hidden/cfr_plus.h"
#include "search/hidden/exploitability.h"
#include "server/cli/exit_code.h"
#include "server/records/atomic_file.h"
#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

namespace json = boost::json;
using search::hidden::BehaviourStrategy;
using search::hidden::CfrPlus;
using search::hidden::ExtensiveForm;

/// In goal points.
constexpr double kSolved = 1e-4;
/// The terminal shows so many information sets; the policy file has all.
constexpr std::size_t kMostSetsShown = 60;

/// How far the iterations have come.
struct Step {
  std::uint64_t iterations;
  double exploitability;
  std::vector<double> values;  // [role]
};

void print(const Step& step, const SolveOptions& options, const Study& study) {
  if (options.study.json) {
    std::cout << json::serialize(json::object{{"iterations", step.iterations},
                                              {"exploitability", step.exploitability},
                                              {"values", json::value_from(step.values)}})
              << std::endl;
    return;
  }
  std::printf("%10llu iterations, exploitability %.3g, goals",
              static_cast<unsigned long long>(step.iterations), step.exploitability);
  for (gdl::RoleIndex role = 0; role < step.values.size(); ++role) {
    if (study.machine().random_role() == role) continue;
    std::printf(" %s %.4f", gdl::printable(study.machine().role_name(role)).c_str(),
                step.values[role]);
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// What the role has done and perceived before it decides, step by step: `( card jack ); pass,
/// bet`.
std::string story(const ExtensiveForm& form, const ExtensiveForm::InformationSet& set,
                  const Study& study) {
  const gdl::Vocabulary& names = *study.machine().vocabulary();
  std::string text;
  for (const auto* step : form.known_in(set)) {
    std::string told;
    if (step->chosen && step->joint.empty()) told = names.move_text(step->move);
    if (!step->joint.empty()) told = study.joint_move_name(step->joint);
    for (const gdl::PerceptId percept : step->percepts) {
      told += (told.empty() ? "" : ", ") + names.rules().shown(names.percept_name(percept));
    }
    if (!told.empty()) text += (text.empty() ? "" : "; ") + told;
  }
  return text.empty() ? "at first" : text;
}

/// The strategy as a table, a line for each information set.
std::string table(const ExtensiveForm& form, const BehaviourStrategy& strategy, const Study& study,
                  std::size_t most) {
  std::ostringstream out;
  const gdl::Vocabulary& names = *study.machine().vocabulary();
  std::size_t shown = 0;
  for (const gdl::RoleIndex role : form.players()) {
    out << '\n' << gdl::printable(study.machine().role_name(role)) << '\n';
    for (const auto& set : form.sets()) {
      if (set.role != role || ++shown > most) continue;
      out << "  " << gdl::printable(story(form, set, study)) << ":";
      for (std::size_t i = 0; i < set.moves.size(); ++i) {
        out << (i == 0 ? " " : ", ") << gdl::printable(names.move_text(set.moves[i])) << ' '
            << number_text("%.4f", strategy[set.first_action + i]);
      }
      out << '\n';
    }
  }
  if (shown > most) {
    out << "\n" << shown - most << " more situations; --policy FILE writes all of them\n";
  }
  return out.str();
}

}  // namespace

int find_equilibrium(const SolveOptions& options, Study& study) {
  const search::Deadline deadline = study.deadline(options.study.seconds);
  const auto form =
      ExtensiveForm::build(study.machine(), study.position().state, deadline, &study.memory());
  if (!form) return fail(kNotGood, "solve", form.error().text);
  if (!options.study.json) {
    std::printf("%zu histories, %zu information sets\n", form->histories().size(),
                form->sets().size());
  }
  CfrPlus cfr(*form);
  BehaviourStrategy strategy;
  Step step{};
  for (bool ended = false; !ended;) {
    const std::uint64_t next = cfr.iterations() == 0 ? 1 : 2 * cfr.iterations();
    while (cfr.iterations() < next && !ended) {
      cfr.iterate();
      ended = deadline.stop_requested();
    }
    strategy = cfr.average();
    step = {cfr.iterations(), search::hidden::exploitability(*form, strategy),
            search::hidden::expected_goals(*form, strategy)};
    print(step, options, study);
    ended = ended || step.exploitability <= kSolved;
  }
  if (!options.study.json) {
    std::cout << table(*form, strategy, study, kMostSetsShown) << std::flush;
  }
  if (const std::string& file = options.policy_file; !file.empty()) {
    const auto error = write_atomically(file, table(*form, strategy, study, form->sets().size()),
                                        Durability::Renamed);
    if (error) return fail(kCouldNot, "solve", file + ": " + error.message());
  }
  return step.exploitability <= kSolved ? kGood : kNotGood;
}

}  // namespace ludens::server
