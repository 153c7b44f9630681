// SPDX-License-Identifier: MIT
#include "search/factors/step_bound.h"

#include <algorithm>

namespace ludens::search::factors {

namespace {

/// States of all parts together.
constexpr std::size_t kMostStates = std::size_t{1} << 19;
/// A longer game is not treated step by step.
constexpr std::uint32_t kMostSteps = 4096;
/// The most combinations of a way to a goal with a way to an end that are treated separately.
constexpr std::size_t kMostConjunctions = 256;

const gdl::Structure::GoalValue* find_goal(const gdl::Machine& machine, int value) {
  const auto& goals = machine.structure().goals;
  if (goals.empty()) return nullptr;
  const auto found = std::ranges::find(goals[0], value, &gdl::Structure::GoalValue::value);
  return found == goals[0].end() ? nullptr : &*found;
}

/// Notes the factors that alone are the subject of one of the conditions.
void ask(const std::optional<gdl::Structure::Alternatives>& alternatives,
         const Projection& projection, std::vector<bool>& asked) {
  if (!alternatives) return;
  for (const auto& conditions : *alternatives) {
    for (const auto& condition : conditions) {
      const std::uint32_t factor = projection.factor_of_all(condition.fluents);
      if (factor != kNoFactor) asked[factor] = true;
    }
  }
}

}  // namespace

StepBound::StepBound(const gdl::Machine& machine, gdl::StateView root, gdl::MemoryBudget* memory)
    : machine_(machine), memory_(memory), root_(root), projection_(machine) {
  add_parts();
}

std::size_t StepBound::moved_parts(const gdl::Machine& machine) {
  const gdl::Structure& structure = machine.structure();
  if (machine.role_count() != 1 || structure.goals.empty()) return 0;
  const Projection projection(machine);
  std::vector<bool> asked(structure.factors.size(), false);
  for (const auto& goal : structure.goals[0]) {
    if (goal.value != 0) ask(goal.alternatives, projection, asked);
  }
  std::size_t moved = 0;
  for (std::size_t factor = 0; factor < asked.size(); ++factor) {
    moved += asked[factor] && !structure.factors[factor].moves.empty() ? 1 : 0;
  }
  if (moved == 0) return 0;
  ask(structure.end, projection, asked);
  return std::ranges::count(asked, true) > 1 ? moved : 0;
}

/// Adds the parts on which goals or end depend, the smallest first.
void StepBound::add_parts() {
  const gdl::Structure& structure = machine_.structure();
  std::vector<bool> wanted(structure.factors.size(), false);
  ask(structure.end, projection_, wanted);
  for (const auto& goal : structure.goals[0]) ask(goal.alternatives, projection_, wanted);
  for (auto factor = static_cast<std::uint32_t>(wanted.size()); factor-- > 0;) {
    if (wanted[factor]) parts_.emplace_back(machine_, projection_, factor, memory_);
  }
  demands_.resize(parts_.size());
}

std::size_t StepBound::part_of(std::uint32_t factor) const {
  const auto found = std::ranges::find(parts_, factor, &Part::factor);
  return static_cast<std::size_t>(found - parts_.begin());
}

gdl::Status StepBound::explore(gdl::Machine::Context& context, std::uint64_t& visits) {
  for (; explored_ < parts_.size(); ++explored_) {
    Part& part = parts_[explored_];
    const auto status = part.explore(context, root_, kMostStates - states_, visits);
    if (status == gdl::Status::Stopped) return status;
    if (part.complete()) states_ += part.size();
  }
  find_limits();
  return gdl::Status::Ok;
}

bool StepBound::tells() const {
  return explored_ == parts_.size() && std::ranges::any_of(parts_, [](const Part& part) {
           return part.complete() && !part.is_clock();
         });
}

/// States of a part at which all these conditions hold.
std::vector<bool> StepBound::where(const Part& part, const Conditions& conditions) {
  std::vector<bool> out(part.size());
  for (Part::Index i = 0; i < part.size(); ++i) {
    out[i] = std::ranges::all_of(conditions, [&](const gdl::Structure::Condition* condition) {
      return reader_.holds(*condition, part.fluents(i));
    });
  }
  return out;
}

/// The game is over when one alternative of its end that only depends on one clock holds.
void StepBound::find_limits() {
  limits_.clear();
  const auto& end = machine_.structure().end;
  if (!end) return;
  for (const auto& alternative : *end) {
    Conditions conditions;
    std::vector<gdl::FluentId> fluents;
    for (const auto& condition : alternative) {
      conditions.push_back(&condition);
      fluents.insert(fluents.end(), condition.fluents.begin(), condition.fluents.end());
    }
    const std::uint32_t factor = projection_.factor_of_all(fluents);
    if (factor == kNoFactor) continue;
    const std::size_t p = part_of(factor);
    const Part& part = parts_[p];
    if (!part.is_clock() || !part.complete()) continue;
    const std::vector<bool> over = where(part, conditions);
    Limit limit{p, std::vector<std::uint32_t>(part.size(), kNever)};
    // A clock is a row of states that may end in a cycle: what comes first is numbered first.
    for (unsigned round = 0; round < 2; ++round) {
      for (Part::Index i = part.size(); i-- > 0;) {
        const Part::Index after = part.idle(i);
        const std::uint32_t left = after == Part::kNone ? kNever : limit.left[after];
        if (over[i]) limit.left[i] = 0;
        if (!over[i] && left != kNever) limit.left[i] = left + 1;
      }
    }
    limits_.push_back(std::move(limit));
  }
  current_.assign(parts_.size(), 0);
  const std::uint32_t left = steps_left();
  most_steps_ = left <= kMostSteps ? left : 0;
}

/// Conditions of single parts, for each way to reach the goal at an end.
std::vector<StepBound::Conditions> StepBound::conditions_of(int value) const {
  const gdl::Structure::GoalValue* goal = find_goal(machine_, value);
  if (goal == nullptr || !goal->alternatives) return {{}};
  const auto add = [](const auto& alternative, Conditions& out) {
    for (const auto& condition : alternative) out.push_back(&condition);
  };
  std::vector<Conditions> out;
  const auto& end = machine_.structure().end;
  const bool with_end = end && goal->alternatives->size() * end->size() <= kMostConjunctions;
  for (const auto& alternative : *goal->alternatives) {
    Conditions conditions;
    add(alternative, conditions);
    if (!with_end) out.push_back(conditions);
    for (std::size_t e = 0; with_end && e < end->size(); ++e) {
      add((*end)[e], out.emplace_back(conditions));
    }
  }
  return out;
}

bool StepBound::aim(int goal, const gdl::StopSignal* stop) {
  if (goal != goal_) {
    goal_ = goal;
    conjunctions_.clear();
    asked_ = conditions_of(goal);
  }
  while (conjunctions_.size() < asked_.size()) {
    if (stop != nullptr && stop->stop_requested()) return false;
    add_conjunction(asked_[conjunctions_.size()]);
  }
  for (const auto& of_part : demands_) {
    for (const auto& demand : of_part) {
      if (!demand->work_out(stop)) return false;
    }
  }
  for (Conjunction& conjunction : conjunctions_) find_longest(conjunction);
  return true;
}

void StepBound::add_conjunction(const Conditions& conditions) {
  std::vector<Conditions> asked(parts_.size());
  for (const gdl::Structure::Condition* condition : conditions) {
    const std::uint32_t factor = projection_.factor_of_all(condition->fluents);
    if (factor != kNoFactor) asked[part_of(factor)].push_back(condition);
  }
  Conjunction& conjunction = conjunctions_.emplace_back();
  for (std::size_t p = 0; p < asked.size(); ++p) {
    if (asked[p].empty() || !parts_[p].complete()) continue;
    std::vector<bool> wanted = where(parts_[p], asked[p]);
    auto& demands = demands_[p];
    const auto known = std::ranges::find_if(
        demands, [&](const auto& demand) { return demand->wanted() == wanted; });
    const Demand* demand = known != demands.end() ? known->get() : nullptr;
    if (demand == nullptr) {
      demands.push_back(
          std::make_unique<Demand>(parts_[p], std::move(wanted), most_steps_, memory_));
      demand = demands.back().get();
    }
    conjunction.requirements.push_back({p, demand});
  }
}

/// In the last n steps at most n moves are made, whatever the earlier states of the parts.
void StepBound::find_longest(Conjunction& conjunction) const {
  for (std::uint32_t steps = 0; steps <= most_steps_; ++steps) {
    std::uint64_t moves = 0;
    for (const Conjunction::Requirement& requirement : conjunction.requirements)
      moves += requirement.demand->least(steps);
    if (moves <= steps) continue;
    conjunction.shorter_than = steps;
    return;
  }
}

/// The steps until the first clock has run out, from the current states.
std::uint32_t StepBound::steps_left() const {
  std::uint32_t left = kNever;
  for (const Limit& limit : limits_) left = std::min(left, limit.left[current_[limit.part]]);
  return left;
}

std::uint32_t StepBound::steps_by(const Conjunction& conjunction, std::uint32_t left) const {
  for (std::uint32_t steps = 0; steps <= left && steps < conjunction.shorter_than; ++steps) {
    std::uint64_t moves = 0;
    for (const Conjunction::Requirement& requirement : conjunction.requirements) {
      const Demand::Moves needed = requirement.demand->moves(current_[requirement.part], steps);
      moves = needed == Demand::kNever ? kNever : moves + needed;
      if (moves > steps) break;
    }
    if (moves <= steps) return steps;
  }
  return kNever;
}

std::uint32_t StepBound::steps(gdl::Machine::Context& context, gdl::StateView state) {
  if (projection_.read(context, state) != gdl::Status::Ok) return 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p].complete()) continue;
    current_[p] = parts_[p].current();
    if (current_[p] == Part::kNone) return 0;
  }
  const std::uint32_t left = steps_left();
  std::uint32_t best = kNever;
  for (const Conjunction& conjunction : conjunctions_) {
    if (most_steps_ > 0) {
      best = std::min(best, steps_by(conjunction, std::min(left, most_steps_)));
      continue;
    }
    std::uint64_t moves = 0;
    for (const Conjunction::Requirement& requirement : conjunction.requirements) {
      const Demand::Moves needed = requirement.demand->moves(current_[requirement.part], 0);
      moves = needed == Demand::kNever || moves == kNever ? kNever : moves + needed;
    }
    best = std::min(best, static_cast<std::uint32_t>(std::min<std::uint64_t>(moves, kNever)));
  }
  return best;
}

}  // namespace ludens::search::factors
