// SPDX-License-Identifier: MIT
#include "search/hidden/targets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "search/hidden/sampling.h"

namespace ludens::search::hidden {

gdl::Status Targets::take(const Roots& roots, const Position& position, std::size_t most,
                          const gdl::StopSignal& stop, gdl::MemoryBudget* memory, gdl::Rng& rng) {
  const Histories& all = roots.histories();
  role_ = position.role;
  histories_ = Histories{.roles = all.roles, .turns = all.turns};
  even_ = 0;
  if (all.size() <= most) {
    for (std::size_t i = 0; i < all.size(); ++i) histories_.append(all, i);
    if (roots.exact()) {
      for (const double chance : all.chances) even_ += std::exp(chance);
    }
  } else {
    std::map<std::size_t, double> drawn;
    for (std::size_t n = 0; n < most; ++n) drawn[roots.draw(rng)] += 1 / static_cast<double>(most);
    for (const auto& [i, weight] : drawn) {
      histories_.append(all, i);
      histories_.weights.back() = weight;
    }
  }
  const auto context = position.machine->make_context({.stop = &stop, .memory = memory});
  const auto status = retrace(*position.machine, *context, roots.all_is_seen());
  if (status != gdl::Status::Ok) histories_ = Histories{.roles = all.roles, .turns = all.turns};
  return status;
}

/// Finds the choices on the path to each history, and what was known when they were made.
gdl::Status Targets::retrace(const gdl::Machine& machine, gdl::Machine::Context& context,
                             bool all_is_seen) {
  Histories now;
  if (const auto s = begin_histories(machine, context, now); s != gdl::Status::Ok) return s;
  const std::size_t roles = histories_.roles, count = size();
  paths_.assign(count, {});
  gdl::Expansion before, after;
  gdl::Percepts percepts;
  std::vector<gdl::StateMove> pairs(count);
  std::vector<std::uint64_t> known(count * roles, now.known_by(0, 0));
  for (std::size_t turn = 0; turn < histories_.turns; ++turn) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto joint = histories_.history(i).subspan(turn * roles, roles);
      pairs[i] = {turn == 0 ? now.states[0] : before.states[i], joint};
      for (gdl::RoleIndex r = 0; r < roles; ++r) {
        const auto legal = turn == 0 ? now.legal(0, r) : before.legal(i, r, roles);
        if (legal.size() < 2) continue;
        paths_[i].push_back({r,
                             r == machine.random_role(),
                             known[i * roles + r],
                             {legal.begin(), legal.end()},
                             joint[r]});
      }
    }
    if (const auto s = machine.perceive(context, pairs, percepts); s != gdl::Status::Ok) return s;
    if (const auto s = machine.expand(context, pairs, after); s != gdl::Status::Ok) return s;
    for (std::size_t i = 0; i < count; ++i) {
      for (gdl::RoleIndex r = 0; r < roles; ++r) {
        known[i * roles + r] = known_after(known[i * roles + r], r, pairs[i].move,
                                           percepts.of(i, r, roles), all_is_seen);
      }
    }
    std::swap(before, after);
  }
  return gdl::Status::Ok;
}

std::vector<MccfrSearch::Start> Targets::draw(std::size_t count, gdl::RoleIndex player,
                                              InformationSets<Regrets>& sets, gdl::Rng& rng) const {
  const CumulativeWeights cumulative(histories_.weights);
  std::vector<double> weights(size(), -1);
  std::vector<MccfrSearch::Start> starts;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t i = cumulative.at(rng.uniform());
    if (weights[i] < 0) weights[i] = weight(i, player, sets);
    starts.push_back({i, weights[i]});
  }
  return starts;
}

/// The probability with which chance and the others reach a history by their current strategy,
/// divided by the probability with which traversals begin there.
double Targets::weight(std::size_t history, gdl::RoleIndex player,
                       InformationSets<Regrets>& sets) const {
  double others = 1, own = 1;
  std::vector<std::uint32_t> places;
  std::vector<double> chances;
  for (const Decision& decision : paths_[history]) {
    const auto count = static_cast<double>(decision.legal.size());
    double chance = 1 / count;
    Regrets* set = decision.chance ? nullptr : sets.find(decision.role, decision.known);
    if (set != nullptr) {
      set->find(decision.legal, places);
      set->match(places, chances);
      const auto move = std::ranges::find(decision.legal, decision.move);
      chance = chances[static_cast<std::size_t>(move - decision.legal.begin())];
    }
    if (decision.role == player) {
      own *= exploration_ / count + (1 - exploration_) * chance;
    } else {
      others *= chance;
    }
  }
  return others / ((1 - share_) * others * own + share_ * histories_.weights[history]);
}

double Targets::weigh(const MccfrSearch::Crossed& crossed) const {
  const bool there = even_ > 0 && crossed.known[role_] == histories_.known_by(0, role_);
  if (!there) return crossed.weight;
  const double made = crossed.others / crossed.weight;
  return crossed.others / (made + share_ * crossed.even / even_);
}

}  // namespace ludens::search::hidden
