// SPDX-License-Identifier: MIT
// Playouts in lanes: a lane whose match has ended takes the next one.
#include <algorithm>
#include <numeric>

#include "gdl/sliced/batches.h"

namespace ludens::gdl {

namespace {

std::size_t operations(const kernel::Phase& phase) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < phase.run_count; ++i) {
    const kernel::Run& run = phase.runs[i];
    n += static_cast<std::size_t>(run.count) * (run.plain + run.complemented);
  }
  return n;
}

}  // namespace

std::uint32_t Batches::variant_for(StateView start) const {
  for (std::uint32_t v = 1; v < variants_.size(); ++v) {
    const bool fits = std::ranges::all_of(variants_[v].turn, [&](const auto& fluent) {
      return (start.words()[fluent.first / 64] >> (fluent.first % 64) & 1) == fluent.second;
    });
    if (fits) return v;
  }
  return 0;
}

/// Orders starts by variant, so that those with the same role in control can be played together.
void Batches::group_starts(std::span<const StateView> starts, bool apart, Scratch& s) const {
  s.order.resize(starts.size());
  std::iota(s.order.begin(), s.order.end(), 0U);
  s.groups.clear();
  std::vector<std::uint32_t> variant;
  for (const StateView start : starts) variant.push_back(apart ? variant_for(start) : 0);
  std::ranges::stable_sort(s.order, {}, [&](std::uint32_t i) { return variant[i]; });
  s.states.resize(std::max(kernel_.lanes, starts.size()));
  for (std::uint32_t i = 0; i < s.order.size(); ++i) {
    const std::uint32_t v = variant[s.order[i]];
    if (s.groups.empty() || s.groups.back().step != v) s.groups.push_back({v, i, 0});
    ++s.groups.back().count;
    s.states[i] = starts[s.order[i]].words().data();
  }
}

/// The cost of counting goals and refilling lanes, in steps: both are about as many operations as
/// gates have inputs and fluents have copies.
double Batches::turnover() const {
  const std::size_t ends = operations(program_.phase(Phase::Goals)) + 3 * program_.fluents.size() +
                           10 * program_.goals.size() + 100;
  std::size_t steps = 0;
  const std::size_t first = variants_.size() > 1 ? 1 : 0;
  for (std::size_t v = first; v < variants_.size(); ++v) {
    const Program& p = *variants_[v].program;
    steps += operations(p.phase(Phase::Status)) + operations(p.phase(Phase::Next)) +
             6 * p.moves.size() + 3 * p.fluents.size() + 300;
    for (const LegalLeaves& c : p.choices) steps += 2 * c.code.size() + c.own.size();
  }
  return static_cast<double>(ends) * static_cast<double>(variants_.size() - first) /
         static_cast<double>(steps);
}

/// Everything except weights, counts and where the results go, for starts that are grouped.
kernel::Playouts Batches::question(Scratch& s, std::size_t starts, bool whole,
                                   const PlayoutOptions& options, const StopSignal* stop) const {
  kernel::Playouts job{};
  job.steps = s.steps.data();
  job.step_count = whole ? 1 : static_cast<std::uint32_t>(s.steps.size());
  job.goals = phase(0, Phase::Goals);
  job.fluents = static_cast<std::uint32_t>(program_.fluents.size()) - (coin_ ? 1 : 0);
  job.coin = coin_;
  job.roles = static_cast<std::uint32_t>(program_.roles());
  job.goal = goals_.data();
  job.goal_count = static_cast<std::uint32_t>(goals_.size());
  job.turnover = turnover();
  job.slots = s.slots.data();
  job.scratch = s.playouts.data();
  job.starts = s.states.data();
  job.groups = s.groups.data();
  job.group_count = static_cast<std::uint32_t>(s.groups.size());
  job.start_count = static_cast<std::uint32_t>(starts);
  job.per_start = options.per_start;
  job.step_cap = options.step_cap;
  job.random = s.random.data();
  // About 100 microseconds between two polls of the stop signal.
  job.poll_every = static_cast<std::uint32_t>(
      std::max<std::size_t>(1, 200'000 / (slots_ / variants_.size() + 64)));
  if (stop != nullptr) {
    job.stop = [](const void* signal) {
      return static_cast<const StopSignal*>(signal)->stop_requested();
    };
    job.stop_argument = stop;
  }
  return job;
}

Status Batches::playouts(Machine::Context& context, Scratch& s, std::span<const StateView> starts,
                         const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const {
  if (!prepare(s, context.limits.memory)) return Status::OverBudget;
  const std::size_t roles = program_.roles();
  out.goals.assign(starts.size() * roles, 0);
  out.playouts.assign(starts.size(), 0);
  out.steps = out.cut = 0;
  out.moves.clear();
  if (options.counting != nullptr) {
    out.moves.resize((options.counting->per_start ? starts.size() : 1) * roles);
  }
  if (starts.empty() || options.per_start == 0) return Status::Ok;
  // The other programs omit forced moves and moves that are described by sets, so they can't be
  // used if moves are counted or weighted.
  const bool whole = options.weights != nullptr || options.counting != nullptr;
  group_starts(starts, !whole, s);
  for (std::uint64_t& word : s.random) word = rng();
  std::vector<std::uint64_t> sums(starts.size() * roles, 0);
  std::vector<std::uint32_t> finished(starts.size(), 0);

  kernel::Playouts job = question(s, starts.size(), whole, options, context.limits.stop);
  job.goal_sums = sums.data();
  job.finished = finished.data();
  kernel::Counting counting{};
  if (options.weights != nullptr) {
    if (!weigh(*options.weights, context.limits.memory, s)) return Status::OverBudget;
    job.weights = s.weightings.data();
  }
  if (options.counting != nullptr) {
    if (!prepare_counting(*options.counting, starts.size(), context.limits.memory, s, counting)) {
      return Status::OverBudget;
    }
    job.counting = &counting;
  }
  kernel_.playouts(job);
  if (options.counting != nullptr) take_counts(s, out);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    out.playouts[s.order[i]] = finished[i];
    std::copy_n(&sums[i * roles], roles, &out.goals[s.order[i] * roles]);
  }
  out.steps = job.steps_made;
  out.cut = job.cut;
  return job.stopped ? Status::Stopped : Status::Ok;
}

}  // namespace ludens::gdl
