#include <algorithm>

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
    list_moves(job, out.moves);
    const StopSignal* stop = context.limits.stop;
    if (stop != nullptr && stop->stop_requested()) return Status::Stopped;
  }
  return Status::Ok;
}

/// What the kernels want to know of pairs: where the states are, and which moves are made.
void Batches::take_pairs(Scratch& s, std::span<const StateMove> pairs) const {
  const std::size_t roles = program_.roles(), ids = move_ids_;
  const std::uint64_t** states = s.states.data();
  if (program_.moves.size() <= kernel::Expansion::kWord) {
    auto* chosen = static_cast<std::uint64_t*>(s.chosen_bits.data());
    const std::uint64_t* const bits = move_bits_.data();
    for (const StateMove& pair : pairs) {
      *states++ = pair.state.words().data();
      const MoveId* const moves = pair.move.data();
      std::uint64_t joint = 0;
      for (std::size_t r = 0; r < roles; ++r)
        joint |= moves[r] < ids ? bits[r * ids + moves[r]] : 0;
      *chosen++ = joint;
    }
    return;
  }
  std::uint32_t* chosen = s.chosen.data();
  const std::uint32_t* const slots = move_slots_.data();
  for (const StateMove& pair : pairs) {
    *states++ = pair.state.words().data();
    const MoveId* const moves = pair.move.data();
    for (std::size_t r = 0; r < roles; ++r) {
      *chosen++ = moves[r] < ids ? slots[r * ids + moves[r]] : kernel::Expansion::kNoMove;
    }
  }
}

kernel::Expansion Batches::question(Scratch& s, std::span<const StateMove> pairs) const {
  take_pairs(s, pairs);
  kernel::Expansion job{};
  expansion_.describe(job);
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
  job.chosen = s.chosen.data();
  job.chosen_bits = static_cast<const std::uint64_t*>(s.chosen_bits.data());
  return job;
}

void Batches::list_moves(kernel::Expansion& job, std::vector<MoveId>& moves) const {
  constexpr std::size_t kUsual = 64;  // moves a lane
  const std::size_t most = job.move_count + kernel::Expansion::kListSlack;
  do {
    const std::size_t needed = job.begin[job.listed * job.roles] + most;
    const std::size_t left = job.count - job.listed;
    if (moves.size() < needed) moves.resize(needed + left * std::min(most, kUsual));
    job.moves = moves.data();
    job.room = moves.size();
    kernel_.list_moves(job);
  } while (job.listed != job.count);
}

}  // namespace ludens::gdl
