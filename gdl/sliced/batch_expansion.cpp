#include <algorithm>

#include "gdl/sliced/batches.h"

namespace ludens::gdl {

Status Batches::expand(Machine::Context& context, Scratch& s, std::span<const StateMove> pairs,
                       Expansion& out) const {
  if (!prepare(s, context.limits.memory)) return Status::OverBudget;
  const std::size_t roles = program_.roles();
  out.states.clear();
  out.terminal.resize(pairs.size());
  out.goals.assign(pairs.size() * roles, 0);
  out.begin.resize(pairs.size() * roles + 1);
  out.begin[0] = 0;
  for (std::size_t first = 0; first < pairs.size(); first += kernel_.lanes) {
    const std::size_t count = std::min(kernel_.lanes, pairs.size() - first);
    expand_chunk(s, pairs.subspan(first, count), first, out);
    const StopSignal* stop = context.limits.stop;
    if (stop != nullptr && stop->stop_requested()) return Status::Stopped;
  }
  return Status::Ok;
}

void Batches::expand_chunk(Scratch& s, std::span<const StateMove> pairs, std::size_t first,
                           Expansion& out) const {
  const std::size_t roles = program_.roles();
  s.chosen.resize(kernel_.lanes * roles);
  std::uint32_t* chosen = s.chosen.data();
  const std::uint64_t** states = s.states.data();
  const std::vector<std::uint32_t>* const slots = move_slots_.data();
  for (const StateMove& pair : pairs) {
    *states++ = pair.state.words().data();
    const MoveId* const moves = pair.move.data();
    for (std::size_t r = 0; r < roles; ++r) {
      *chosen++ = moves[r] < slots[r].size() ? slots[r][moves[r]] : kernel::Expansion::kNoMove;
    }
  }
  kernel::Expansion job{};
  expansion_.describe(job);
  job.step = s.steps.data();
  job.goals = phase(0, Phase::Goals);
  job.fluents = static_cast<std::uint32_t>(program_.fluents.size());
  job.roles = static_cast<std::uint32_t>(roles);
  job.goal = goals_.data();
  job.goal_count = static_cast<std::uint32_t>(goals_.size());
  job.first_move = static_cast<std::uint32_t>(program_.first_slot);
  job.moves = static_cast<std::uint32_t>(program_.moves.size());
  job.slots = s.slots.data();
  job.scratch = s.expansion.data();
  job.count = static_cast<std::uint32_t>(pairs.size());
  job.states = s.states.data();
  job.chosen = s.chosen.data();
  job.next = out.states.append(pairs.size(), program_.state_words()).data();
  job.terminal = out.terminal.data() + first;
  job.goal_values = out.goals.data() + first * roles;
  job.begin = out.begin.data() + first * roles;
  const std::uint64_t listed = job.begin[0] + kernel_.expand(job);
  if (out.moves.size() < listed + kernel::Expansion::kListSlack) {
    out.moves.resize(listed + kernel::Expansion::kListSlack);
  }
  job.listed = out.moves.data() + job.begin[0];
  kernel_.list_moves(job);
}

}  // namespace ludens::gdl
