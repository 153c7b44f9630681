// SPDX-License-Identifier: MIT
// The successors of many states, and of many moves, at once.
#include <algorithm>
#include <bit>

#include "gdl/sliced/batches.h"

namespace ludens::gdl {

Status Batches::expand(Machine::Context& context, Scratch& s, std::span<const StateMove> pairs,
                       Expansion& out) const {
  if (!prepare(s, context.limits.memory)) return Status::OverBudget;
  const std::size_t roles = program_.roles();
  out.states.clear();
  const auto states = out.states.append(pairs.size(), program_.state_words());
  out.terminal.resize(pairs.size());
  out.goals.assign(pairs.size() * roles, 0);
  out.begin.resize(pairs.size() * roles + 1);
  out.begin[0] = 0;
  for (std::size_t first = 0; first < pairs.size(); first += kernel_.lanes) {
    const std::size_t count = std::min(kernel_.lanes, pairs.size() - first);
    kernel::Expansion job = question(s, pairs.subspan(first, count));
    job.next = states.data() + first * program_.state_words();
    job.terminal = out.terminal.data() + first;
    job.goal_values = out.goals.data() + first * roles;
    job.begin = out.begin.data() + first * roles;
    kernel_.expand(job);
    const std::size_t listed = job.begin[count * roles] + kernel::Expansion::kListSlack;
    if (out.moves.size() < listed) out.moves.resize(listed);
    job.moves = out.moves.data();
    kernel_.list_moves(job);
    const StopSignal* stop = context.limits.stop;
    if (stop != nullptr && stop->stop_requested()) return Status::Stopped;
  }
  return Status::Ok;
}

Status Batches::perceive(Machine::Context& context, Scratch& s, std::span<const StateMove> pairs,
                         Percepts& out) const {
  const std::size_t roles = program_.roles();
  out.percepts.clear();
  out.begin.assign(pairs.size() * roles + 1, 0);
  if (percepts_.empty()) return Status::Ok;
  if (!prepare(s, context.limits.memory)) return Status::OverBudget;
  const std::size_t row = (percepts_.size() + 63) / 64;
  for (std::size_t first = 0; first < pairs.size(); first += kernel_.lanes) {
    const std::size_t count = std::min(kernel_.lanes, pairs.size() - first);
    const kernel::Expansion job = question(s, pairs.subspan(first, count));
    s.percept_rows.assign(count * row, 0);
    kernel_.perceive({&job, program_.phase(Phase::Percepts), percepts_.data(),
                      static_cast<std::uint32_t>(percepts_.size()), s.percept_rows.data()});
    for (std::size_t pair = 0; pair < count; ++pair) {
      append(std::span(s.percept_rows).subspan(pair * row, row), (first + pair) * roles, out);
    }
    const StopSignal* stop = context.limits.stop;
    if (stop != nullptr && stop->stop_requested()) return Status::Stopped;
  }
  return Status::Ok;
}

/// Appends the percepts of one pair, which are sorted by role and id; `at`: the place of its first
/// role in `out.begin`.
void Batches::append(std::span<const std::uint64_t> row, std::size_t at, Percepts& out) const {
  RoleIndex role = 0;
  const auto begin_roles = [&](RoleIndex end) {
    for (; role < end; ++role) {
      out.begin[at + role + 1] = static_cast<std::uint32_t>(out.percepts.size());
    }
  };
  for (std::size_t word = 0; word < row.size(); ++word) {
    for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
      const auto i = 64 * word + static_cast<unsigned>(std::countr_zero(bits));
      begin_roles(program_.percepts[i].role);
      out.percepts.push_back(program_.percepts[i].id);
    }
  }
  begin_roles(static_cast<RoleIndex>(program_.roles()));
}

/// Everything except where the answer goes, for at most as many pairs as there are lanes.
kernel::Expansion Batches::question(Scratch& s, std::span<const StateMove> pairs) const {
  joint_moves_.take(pairs, s.states.data(), static_cast<std::uint64_t*>(s.chosen_words.data()),
                    s.chosen_slots.data());
  kernel::Expansion job{};
  expansion_.describe(job);
  joint_moves_.describe(job);
  job.step = s.steps.data();
  job.goals = phase(0, Phase::Goals);
  job.fluents = static_cast<std::uint32_t>(program_.fluents.size());
  job.roles = static_cast<std::uint32_t>(program_.roles());
  job.goal = goals_.data();
  job.goal_count = static_cast<std::uint32_t>(goals_.size());
  job.first_move = static_cast<std::uint32_t>(program_.first_slot);
  job.slots = s.slots.data();
  job.scratch = s.expansion.data();
  job.count = static_cast<std::uint32_t>(pairs.size());
  job.states = s.states.data();
  job.chosen_slots = s.chosen_slots.data();
  job.chosen_words = static_cast<const std::uint64_t*>(s.chosen_words.data());
  return job;
}

}  // namespace ludens::gdl
