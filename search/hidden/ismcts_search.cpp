// SPDX-License-Identifier: MIT
#include "search/hidden/ismcts_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ludens::search::hidden {

IsmctsSearch::IsmctsSearch(const gdl::Machine& machine, gdl::RoleIndex role, const Roots& roots,
                           const IsmctsPolicy& policy, InformationSets<Bandit>& sets, gdl::Rng& rng,
                           gdl::MemoryBudget* memory)
    : machine_(machine),
      role_(role),
      roots_(roots),
      policy_(policy),
      sets_(sets),
      rng_(rng),
      context_(machine.make_context({.stop = nullptr, .memory = memory})),
      roles_(machine.role_count()),
      goals_(roles_) {}

Bandit* IsmctsSearch::root() {
  return sets_.find(role_, roots_.histories().known_by(0, role_));
}

gdl::Status IsmctsSearch::run(std::size_t descents, const gdl::StopSignal& stop) {
  context_->limits.stop = &stop;
  begin(descents);
  while (!active_.empty()) {
    if (const auto s = step(); s != gdl::Status::Ok) {
      take_back();
      return s;
    }
    sort_out();
  }
  if (done_.empty()) return gdl::Status::Ok;
  return play_out();
}

void IsmctsSearch::begin(std::size_t descents) {
  const Histories& histories = roots_.histories();
  descents_.resize(descents);
  active_.clear();
  done_.clear();
  leaves_.clear();
  at_root_ = true;
  turn_ = 0;
  for (std::size_t i = 0; i < descents; ++i) {
    Descent& descent = descents_[i];
    descent.path.clear();
    descent.legal.clear();
    descent.place = roots_.draw(rng_);
    descent.leaf = false;
    descent.known.resize(roles_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      descent.known[r] = histories.known_by(descent.place, r);
    }
    active_.push_back(i);
  }
}

std::span<const gdl::MoveId> IsmctsSearch::legal(const Descent& descent,
                                                 gdl::RoleIndex role) const {
  return at_root_ ? roots_.histories().legal(descent.place, role)
                  : now_.legal(descent.place, role, roles_);
}

/// Chooses a move for each role; false if one has none.
bool IsmctsSearch::choose_all(Descent& descent) {
  // The steps end a descent in which no role ever has a choice.
  descent.leaf = turn_ >= policy_.steps || turn_ + 1 == policy_.depth;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (legal(descent, r).empty()) return false;
  }
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    joints_.push_back(choose(descent, r, legal(descent, r)));
  }
  return true;
}

gdl::MoveId IsmctsSearch::choose(Descent& descent, gdl::RoleIndex role,
                                 std::span<const gdl::MoveId> legal) {
  if (legal.size() == 1) return legal.front();
  const auto drawn = [&] { return legal[rng_.below(static_cast<std::uint32_t>(legal.size()))]; };
  if (role == machine_.random_role()) return drawn();
  const bool knows_all = policy_.observers == Observers::Defence && role != role_;
  const std::uint64_t known = knows_all ? gdl::hash(state_of(descent)).low : descent.known[role];
  Bandit* bandit = sets_.find(role, known);
  if (bandit == nullptr) {
    descent.leaf = true;
    bandit = sets_.make(role, known, legal.size());
  }
  if (bandit == nullptr) return drawn();
  bandit->find(legal, places_);
  ++bandit->visits;
  for (const auto place : places_) ++bandit->arms[place].available;
  const std::uint32_t arm = select_ucb(*bandit);
  ++bandit->arms[arm].visits;
  descent.path.push_back({bandit, role, arm, places_.size()});
  descent.legal.insert(descent.legal.end(), places_.begin(), places_.end());
  return bandit->arms[arm].move;
}

/// Chooses among `places_`: a random one that was never tried, otherwise the one with the largest
/// score.
std::uint32_t IsmctsSearch::select_ucb(const Bandit& bandit) {
  std::uint32_t best = places_.front(), untried = 0;
  double most = -1;
  for (const std::uint32_t place : places_) {
    const Arm& arm = bandit.arms[place];
    if (arm.visits == 0) {
      if (rng_.below(++untried) == 0) best = place;
    } else if (untried == 0) {
      const auto visits = static_cast<double>(arm.visits);
      const double score =
          arm.sum / visits +
          policy_.gamma * std::sqrt(std::log(static_cast<double>(arm.available)) / visits);
      if (score > most) {
        most = score;
        best = place;
      }
    }
  }
  return best;
}

/// Makes one turn of all active descents: moves, percepts and states. Those without a legal move
/// end.
gdl::Status IsmctsSearch::step() {
  joints_.clear();
  pairs_.clear();
  std::erase_if(active_, [&](std::size_t i) {
    if (choose_all(descents_[i])) return false;
    std::ranges::fill(goals_, 0.0);
    back_up(descents_[i], goals_);
    return true;
  });
  for (std::size_t n = 0; n < active_.size(); ++n) {
    pairs_.push_back(
        {state_of(descents_[active_[n]]), std::span(joints_).subspan(n * roles_, roles_)});
  }
  states_ += pairs_.size();
  if (!roots_.all_is_seen()) {
    if (const auto s = machine_.perceive(*context_, pairs_, percepts_); s != gdl::Status::Ok) {
      return s;
    }
  }
  return machine_.expand(*context_, pairs_, next_);
}

/// Sorts the descents after the turn just made: ends are backed up, leaves wait for a playout, the
/// others continue.
void IsmctsSearch::sort_out() {
  depth_ = std::max(depth_, ++turn_);
  std::size_t kept = 0;
  for (std::size_t n = 0; n < active_.size(); ++n) {
    Descent& descent = descents_[active_[n]];
    if (next_.terminal[n] != 0) {
      for (gdl::RoleIndex r = 0; r < roles_; ++r) goals_[r] = next_.goals[n * roles_ + r] / 100.0;
      back_up(descent, goals_);
      continue;
    }
    if (descent.leaf) {
      done_.push_back(active_[n]);
      leaves_.push_back(next_.states[n]);
      continue;
    }
    const auto joint = std::span(joints_).subspan(n * roles_, roles_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      const auto seen =
          roots_.all_is_seen() ? std::span<const gdl::PerceptId>() : percepts_.of(n, r, roles_);
      descent.known[r] = known_after(descent.known[r], r, joint, seen, roots_.all_is_seen());
    }
    descent.place = n;
    active_[kept++] = active_[n];
  }
  active_.resize(kept);
  std::swap(now_, next_);
  at_root_ = false;
}

gdl::Status IsmctsSearch::play_out() {
  std::vector<gdl::StateView> starts;
  for (std::size_t i = 0; i < leaves_.size(); ++i) starts.push_back(leaves_[i]);
  const auto status = machine_.playouts(*context_, starts,
                                        {.per_start = 1, .step_cap = policy_.steps}, rng_, sums_);
  active_ = std::move(done_);
  done_.clear();
  if (status != gdl::Status::Ok) {
    take_back();
    return status;
  }
  states_ += sums_.steps;
  for (std::size_t n = 0; n < active_.size(); ++n) {
    const double playouts = std::max(1U, sums_.playouts[n]);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      goals_[r] = static_cast<double>(sums_.goals[n * roles_ + r]) / playouts / 100;
    }
    back_up(descents_[active_[n]], goals_);
  }
  return status;
}

void IsmctsSearch::back_up(const Descent& descent, std::span<const double> goals) {
  for (const Chosen& chosen : descent.path) {
    chosen.bandit->arms[chosen.arm].sum += goals[chosen.role];
  }
}

/// Removes the visits of descents that did not finish.
void IsmctsSearch::take_back() {
  active_.insert(active_.end(), done_.begin(), done_.end());
  for (const std::size_t i : active_) {
    std::span<const std::uint32_t> legal = descents_[i].legal;
    for (const Chosen& chosen : descents_[i].path) {
      --chosen.bandit->visits;
      --chosen.bandit->arms[chosen.arm].visits;
      for (const auto place : legal.first(chosen.legal)) --chosen.bandit->arms[place].available;
      legal = legal.subspan(chosen.legal);
    }
  }
}

}  // namespace ludens::search::hidden
