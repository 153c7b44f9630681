// SPDX-License-Identifier: MIT
#include "server/cli/equilibrium.h"

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "gdl/text/printable.h"
#include "search/hidden/cfr_plus.h"
#include "search/hidden/exploitability.h"
#include "search/hidden/merged_form.h"
#include "server/cli/exit_code.h"
#include "server/records/atomic_file.h"
#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

namespace json = boost::json;
using search::hidden::BehaviourStrategy;
using search::hidden::CfrPlus;
using search::hidden::ExtensiveForm;

/// The terminal shows this many information sets; the policy file has all.
constexpr std::size_t kMostSetsShown = 60;

void print(const EquilibriumStep& step, const SolveOptions& options, const Study& study) {
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
      out << "  " << gdl::printable(story_of(form, set, study)) << ":";
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

std::string story_of(const ExtensiveForm& form, const ExtensiveForm::InformationSet& set,
                     const Study& study) {
  const gdl::Vocabulary& names = *study.machine().vocabulary();
  std::string text;
  for (const auto* step : form.known_in(set)) {
    std::string told;
    if (step->chosen && step->joint.empty()) told = names.move_text(step->move);
    if (!step->joint.empty()) told = study.joint_move_name(step->joint);
    for (const gdl::PerceptId percept : step->percepts) {
      told +=
          (told.empty() ? "" : ", ") + names.rules().to_user_language(names.percept_name(percept));
    }
    if (!told.empty()) text += (text.empty() ? "" : "; ") + told;
  }
  return text.empty() ? "at first" : text;
}

namespace {

/// A tree of this many histories takes about a gibibyte, including what is computed on it.
constexpr double kMostOfTree = 1.6e7;

/// The whole tree if it is small enough, otherwise merged.
gdl::Result<ExtensiveForm> form_of(Study& study, gdl::StateView from,
                                   const search::Deadline& deadline) {
  auto merged = search::hidden::build_merged(study.machine(), from, deadline, &study.memory());
  if (!merged || search::hidden::histories_of_tree(*merged) > kMostOfTree) return merged;
  auto tree = ExtensiveForm::build(study.machine(), from, deadline, &study.memory());
  return tree ? std::move(tree) : std::move(merged);
}

/// Decides when to measure the progress of the iterations. In a tree this costs as much as a few
/// iterations. In a merged form it may take longer than all of them, so it gets a fifth of the
/// time.
class Looks {
 public:
  using Clock = std::chrono::steady_clock;

  Looks(bool dear, const search::Deadline& deadline) : dear_(dear), end_(deadline.at()) {
    if (end_ != Clock::time_point::max()) next_ = start_ + (end_ - start_) / 4;
  }
  /// Whether to measure after this many iterations.
  [[nodiscard]] bool due(std::uint64_t iterations) const {
    return dear_ ? Clock::now() >= next_ || over() : (iterations & (iterations - 1)) == 0;
  }
  /// Whether there is time to measure once more, but not for iterations before that.
  [[nodiscard]] bool over() const {
    return dear_ && end_ != Clock::time_point::max() && Clock::now() + cost_ * 5 / 4 >= end_;
  }
  void looked(Clock::time_point since) {
    cost_ = Clock::now() - since;
    next_ = Clock::now() + 4 * cost_;
  }

 private:
  const bool dear_;
  const Clock::time_point start_ = Clock::now(), end_;
  Clock::time_point next_ = start_ + std::chrono::seconds(10);
  Clock::duration cost_{};
};

}  // namespace

gdl::Result<FoundEquilibrium> seek_equilibrium(
    Study& study, gdl::StateView from, const search::Deadline& deadline,
    const std::function<void(const ExtensiveForm&)>& form_made,
    const std::function<void(const EquilibriumStep&)>& improved) {
  auto form = form_of(study, from, deadline);
  if (!form) return form.error();
  form_made(*form);
  CfrPlus cfr(*form);
  BehaviourStrategy strategy;
  EquilibriumStep step;
  Looks looks(form->merged(), deadline);
  for (bool ended = false; !ended;) {
    cfr.iterate();
    ended = deadline.stop_requested() || looks.over();
    if (!ended && !looks.due(cfr.iterations())) continue;
    const auto start = Looks::Clock::now();
    strategy = cfr.average();
    // The measurement in a tree is always finished, so that there is a result even if time is
    // short.
    const auto left =
        search::hidden::exploitability(*form, strategy, form->merged() ? &deadline : nullptr);
    if (!left && step.iterations > 0) break;
    step = {cfr.iterations(), left.value_or(100), search::hidden::expected_goals(*form, strategy)};
    ended = ended || !left;
    improved(step);
    looks.looked(start);
    ended = ended || step.solved();
  }
  return FoundEquilibrium{*std::move(form), std::move(strategy), std::move(step)};
}

namespace {

/// Why an equilibrium is not what the options ask for, as a sentence; empty if it is.
std::string misfit(const SolveOptions& options, const Study& study) {
  if (options.all_moves) {
    return "an equilibrium is a mix of moves: --policy FILE has how often each is made, not "
           "--all-moves";
  }
  if (!options.study.role.empty()) return "an equilibrium is of all roles: leave --role out";
  const bool hidden = study.machine().vocabulary()->rules().has_rule(gdl::kSees);
  if (!hidden || study.position().history.empty()) return {};
  return "the moves do not tell what roles know; `ludens explain " + options.study.game + " --at " +
         options.study.moves_file + "` shows that situation";
}

}  // namespace

int find_equilibrium(const SolveOptions& options, Study& study) {
  if (const std::string why = misfit(options, study); !why.empty()) {
    return fail(kWrongUse, "solve", why);
  }
  const auto tell_form = [&](const ExtensiveForm& form) {
    if (options.study.json) return;
    std::printf("%zu histories, %zu information sets\n", form.histories().size(),
                form.sets().size());
    if (form.merged()) {
      std::printf("merged from %.4g: roles forget what does not distinguish states\n",
                  search::hidden::histories_of_tree(form));
    }
  };
  const auto tell_step = [&](const EquilibriumStep& step) { print(step, options, study); };
  gdl::Result<FoundEquilibrium> found{gdl::Error{}};
  study.run(study.deadline(options.study.seconds), [&](const search::Deadline& until) {
    found = seek_equilibrium(study, study.position().state, until, tell_form, tell_step);
    return found && found->last.solved();
  });
  if (!found) return fail(kNotGood, "solve", found.error().text);
  if (!options.study.json) {
    std::cout << table(found->form, found->strategy, study, kMostSetsShown) << std::flush;
  }
  if (const std::string& file = options.policy_file; !file.empty()) {
    const std::string all = table(found->form, found->strategy, study, found->form.sets().size());
    const auto error = write_atomically(file, all, Durability::Renamed);
    if (error) return fail(kCouldNot, "solve", file + ": " + error.message());
  }
  return found->last.solved() ? kGood : kNotGood;
}

}  // namespace ludens::server
