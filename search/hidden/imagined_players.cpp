// SPDX-License-Identifier: MIT
#include "search/hidden/imagined_players.h"

#include <algorithm>

#include "gdl/memory/hash.h"
#include "search/hidden/sampling.h"

namespace ludens::search::hidden {

namespace {

/// The number of information sets whose moves are kept, about 50 bytes each; then all are dropped.
constexpr std::size_t kMostKept = 100'000;

}  // namespace

gdl::Status ImaginedPlayers::choose(gdl::RoleIndex role, std::uint64_t known,
                                    std::span<const KnownTurn> turns,
                                    std::span<const gdl::MoveId> legal, const gdl::StopSignal& stop,
                                    gdl::MoveId& out) {
  const std::uint64_t key = gdl::mix(known, role);
  if (const auto found = moves_.find(key); found != moves_.end()) {
    out = found->second;
    // A flawed game may offer different moves to a role with the same knowledge.
    if (std::ranges::find(legal, out) != legal.end()) return gdl::Status::Ok;
  }
  Belief belief(machine_, role,
                {.most = options_.histories, .seed = rng_() | 1, .memory = memory_});
  if (const auto s = belief.follow(turns, stop); s != gdl::Status::Ok) return s;
  std::vector<double> means;
  const auto status = rate(belief.histories(), role, legal, stop, means);
  if (status != gdl::Status::Ok) return status;
  double best = -1;
  std::uint32_t equals = 0;  // moves that share the best mean; one is drawn at random
  for (std::size_t arm = 0; arm < legal.size(); ++arm) {
    if (means[arm] < best) continue;
    equals = means[arm] > best ? 1 : equals + 1;
    best = means[arm];
    if (rng_.below(equals) == 0) out = legal[arm];
  }
  if (moves_.size() >= kMostKept) moves_.clear();
  moves_[key] = out;
  return gdl::Status::Ok;
}

gdl::Status ImaginedPlayers::rate(const Histories& all, gdl::RoleIndex role,
                                  std::span<const gdl::MoveId> legal, const gdl::StopSignal& stop,
                                  std::vector<double>& out) {
  const std::size_t roles = machine_->role_count();
  out.assign(legal.size(), 0);
  std::vector<double> weights(legal.size(), 0.0);
  const std::vector<std::size_t> drawn = draw_histories(all);
  std::vector<gdl::MoveId> joints;
  std::vector<std::size_t> histories, arms;  // [pair]
  for (const std::size_t i : drawn) {
    if (all.choices_of_others(i, role) == 0) continue;
    for (std::size_t arm = 0; arm < legal.size(); ++arm) {
      if (!std::ranges::binary_search(all.legal(i, role), legal[arm])) continue;
      for (gdl::RoleIndex r = 0; r < roles; ++r) {
        joints.push_back(r == role ? legal[arm] : draw(all.legal(i, r)));
      }
      histories.push_back(i);
      arms.push_back(arm);
    }
  }
  std::vector<gdl::StateMove> pairs;
  for (std::size_t n = 0; n < histories.size(); ++n) {
    pairs.push_back({all.states[histories[n]], std::span(joints).subspan(n * roles, roles)});
  }
  if (pairs.empty()) return gdl::Status::Ok;
  const auto context = machine_->make_context({.stop = &stop, .memory = memory_});
  gdl::Expansion after;
  if (const auto s = machine_->expand(*context, pairs, after); s != gdl::Status::Ok) return s;
  std::vector<gdl::StateView> starts;
  for (std::size_t n = 0; n < pairs.size(); ++n) starts.push_back(after.states[n]);
  gdl::PlayoutSums sums;
  const auto status = machine_->playouts(
      *context, starts, {.per_start = options_.tries, .step_cap = options_.steps}, rng_, sums);
  if (status != gdl::Status::Ok) return status;
  const double even = drawn.size() < all.size() ? 1 : 0;  // drawn by weight already
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const double weight = even > 0 ? even : all.weights[histories[n]];
    out[arms[n]] +=
        weight * static_cast<double>(sums.goals[n * roles + role]) / std::max(1U, sums.playouts[n]);
    weights[arms[n]] += weight;
  }
  for (std::size_t arm = 0; arm < legal.size(); ++arm) {
    if (weights[arm] > 0) out[arm] /= weights[arm];
  }
  return gdl::Status::Ok;
}

/// Returns all, or as many as a belief of these players has.
std::vector<std::size_t> ImaginedPlayers::draw_histories(const Histories& all) {
  std::vector<std::size_t> drawn;
  if (all.size() <= options_.histories) {
    for (std::size_t i = 0; i < all.size(); ++i) drawn.push_back(i);
    return drawn;
  }
  const CumulativeWeights cumulative(all.weights);
  LowDiscrepancySequence sequence(rng_);
  for (std::size_t n = 0; n < options_.histories; ++n) {
    drawn.push_back(cumulative.at(sequence.next()));
  }
  return drawn;
}

}  // namespace ludens::search::hidden
