// SPDX-License-Identifier: MIT
#include "search/hidden/equilibrium.h"

#include <algorithm>
#include <chrono>

#include "search/hidden/exploitability.h"
#include "search/hidden/mixed_choice.h"

namespace ludens::search::hidden {

namespace {

/// Goal points that are as good as none.
constexpr double kConverged = 1e-3;
/// The cost of computing the exploitability, and of an answer, in iterations.
constexpr double kLook = 4, kAnswer = 4;

std::chrono::duration<double> time_to(const Deadline& deadline) {
  if (deadline.at() == TimePoint::max()) return std::chrono::hours(1);
  return deadline.at() - std::chrono::steady_clock::now();
}

/// The memory of the arrays of CFR+.
std::size_t bytes_of_arrays(const ExtensiveForm& form) {
  return sizeof(double) *
         (3 * form.histories().size() + 4 * form.actions() + 2 * form.sets().size());
}

}  // namespace

gdl::Result<std::unique_ptr<Equilibrium>> Equilibrium::build(const gdl::Machine& machine,
                                                             const Deadline& deadline,
                                                             gdl::MemoryBudget* memory,
                                                             std::uint64_t most) {
  gdl::State initial;
  const auto context = machine.make_context({.stop = &deadline, .memory = memory});
  if (machine.initial(*context, initial) != gdl::Status::Ok) {
    return gdl::Error{"the initial state could not be computed"};
  }
  auto form = ExtensiveForm::build(machine, initial, deadline, memory, most);
  if (!form) return form.error();
  auto held = std::make_unique<gdl::HeldMemory>();
  if (!held->reserve(bytes_of_arrays(*form), memory)) {
    return gdl::Error{ExtensiveForm::why_not(gdl::Status::OverBudget)};
  }
  return std::unique_ptr<Equilibrium>(new Equilibrium(std::move(*form), std::move(held)));
}

void Equilibrium::improve(const Deadline& deadline, std::uint64_t most) {
  while (!deadline.stop_requested() && (most == 0 || cfr_.iterations() < most)) {
    if (exploitability_ <= kConverged) return;
    if (time_to(deadline) < (kAnswer + 1) * longest_) return;
    const auto start = std::chrono::steady_clock::now();
    if (!cfr_.iterate(&deadline)) return;
    longest_ =
        std::max<std::chrono::duration<double>>(longest_, std::chrono::steady_clock::now() - start);
    if (cfr_.iterations() < next_look_ || time_to(deadline) < (kAnswer + kLook) * longest_)
      continue;
    next_look_ = 2 * cfr_.iterations();
    const auto found = hidden::exploitability(form_, cfr_.average(), &deadline);
    if (found) exploitability_ = *found;
  }
}

std::optional<Choice> Equilibrium::choose(const Position& position,
                                          std::span<const gdl::MoveId> legal, gdl::Rng rng) {
  std::vector<KnownTurn> turns;
  if (!position.known) {
    const std::size_t roles = form_.roles();
    for (std::size_t at = 0; at + roles <= position.history.size(); at += roles) {
      turns.push_back({.own = position.history[at + position.role]});
    }
  }
  const auto set =
      form_.find(position.role, position.known ? *position.known : turns, position.history, legal);
  if (!set) return std::nullopt;
  const BehaviourStrategy strategy = cfr_.average();
  const std::vector<double> values = move_values(form_, strategy, *set);
  const auto chances = std::span(strategy).subspan(form_.sets()[*set].first_action, legal.size());
  Choice choice = mixed_choice(legal, chances, values, cfr_.iterations(), rng.uniform());
  choice.nodes = form_.histories().size();
  return choice;
}

}  // namespace ludens::search::hidden
