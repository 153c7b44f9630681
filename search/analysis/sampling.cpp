// SPDX-License-Identifier: MIT
#include "search/analysis/sampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ludens::search {

using gdl::Status;

Sampler::Sampler(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::Rng& rng,
                 Findings& findings)
    : goal_sums(machine.role_count()),
      machine_(machine),
      context_(context),
      rng_(rng),
      findings_(findings),
      joint_(machine.role_count()),
      counts_(machine.role_count()),
      goals_(machine.role_count()),
      goals_before_(machine.role_count()) {}

/// Records goals, recurrence and end of the state just entered.
Status Sampler::look(bool& terminal) {
  if (const Status status = machine_.terminal(context_, state_, terminal); status != Status::Ok) {
    return status;
  }
  if (const Status status = machine_.goals(context_, state_, goals_); status != Status::Ok) {
    return status;
  }
  if (!path_.empty()) findings_.see_step(goals_before_, goals_);
  if (!path_.insert(hash(state_)).second) findings_.recurred = true;
  std::swap(goals_, goals_before_);
  return Status::Ok;
}

/// Chooses a random joint move; `magnitude` grows by the logarithm of their number.
Status Sampler::choose(double& magnitude) {
  double joint_moves = 1;
  for (gdl::RoleIndex r = 0; r < joint_.size(); ++r) {
    if (const Status status = machine_.legal(context_, state_, r, legal_); status != Status::Ok) {
      return status;
    }
    counts_[r] = static_cast<std::uint32_t>(legal_.size());
    joint_moves *= counts_[r];
    if (!legal_.empty()) joint_[r] = legal_[rng_.below(counts_[r])];
  }
  findings_.see_choices(counts_);
  branching_sum += joint_moves;
  magnitude += joint_moves > 0 ? std::log10(joint_moves) : 0;
  return Status::Ok;
}

Status Sampler::play(gdl::StateView from, std::uint32_t step_cap) {
  state_.assign(from);
  path_.clear();
  double magnitude = 0;
  std::uint32_t length = 0;
  bool terminal = false;
  for (;; ++length) {
    if (const Status status = look(terminal); status != Status::Ok) return status;
    if (terminal || length == step_cap) break;
    if (const Status status = choose(magnitude); status != Status::Ok) return status;
    if (std::ranges::find(counts_, 0U) != counts_.end()) break;  // a role has no legal move
    if (const Status status = machine_.next(context_, state_, joint_, next_);
        status != Status::Ok) {
      return status;
    }
    std::swap(state_, next_);
    ++steps;
  }
  longest = std::max(longest, length);
  magnitudes.push_back(magnitude);
  if (!terminal) {
    ++cut;
    return Status::Ok;
  }
  ++finished;
  finished_steps += length;
  findings_.see_end(goals_before_);
  for (std::size_t r = 0; r < goal_sums.size(); ++r) {
    goal_sums[r] += static_cast<std::uint64_t>(goals_before_[r]);
  }
  return Status::Ok;
}

}  // namespace ludens::search
