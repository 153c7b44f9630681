// SPDX-License-Identifier: MIT
#include "search/hidden/imagined_players.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::search::hidden {

namespace {

/// Information sets whose moves are kept, some 50 bytes each; then all are forgotten.
constexpr std::size_t kMostKept = 100'000;

}  // namespace

gdl::Status ImaginedPlayers::choose(gdl::RoleIndex role, std::uint64_t known,
                                    std::span<const KnownTurn> turns,
                                    std::span<const gdl::MoveId> legal, const gdl::StopSignal& stop,
                                    gdl::MoveId& out) {
  const std::uint64_t key = gdl::mix(known, role);
  if (const auto found = moves_.find(key); found != moves_.end()) {
    out = found->second;
    // A hash tells no lies, but a flawed game may offer other moves to who knows the same.
    if (std::ranges::find(legal, out) != legal.end()) return gdl::Status::Ok;
  }
  Belief belief(machine_, role,
                {.most = options_.histories, .seed = rng_() | 1, .memory = memory_});
  if (const auto s = belief.follow(turns, stop); s != gdl::Status::Ok) return s;
  out = draw(legal);
  if (const auto s = rate(belief, legal, stop, out); s != gdl::Status::Ok) return s;
  if (moves_.size() >= kMostKept) moves_.clear();
  moves_[key] = out;
  return gdl::Status::Ok;
}

/// The best of the moves, by its mean goal behind all histories; of equals one by chance.
gdl::Status ImaginedPlayers::rate(const Belief& belief, std::span<const gdl::MoveId> legal,
                                  const gdl::StopSignal& stop, gdl::MoveId& out) {
  const std::size_t roles = machine_->role_count();
  const gdl::RoleIndex role = belief.role();
  std::vector<gdl::MoveId> joints;
  std::vector<std::size_t> histories, arms;  // [pair]
  for (std::size_t i = 0; i < belief.size(); ++i) {
    if (belief.histories().choices_of_others(i, role) == 0) continue;
    for (std::size_t arm = 0; arm < legal.size(); ++arm) {
      if (!std::ranges::binary_search(belief.legal(i, role), legal[arm])) continue;
      for (gdl::RoleIndex r = 0; r < roles; ++r) {
        joints.push_back(r == role ? legal[arm] : draw(belief.legal(i, r)));
      }
      histories.push_back(i);
      arms.push_back(arm);
    }
  }
  std::vector<gdl::StateMove> pairs;
  for (std::size_t n = 0; n < histories.size(); ++n) {
    pairs.push_back({belief.state(histories[n]), std::span(joints).subspan(n * roles, roles)});
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
  std::vector<double> goals(legal.size(), 0.0), weights(legal.size(), 0.0);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const double weight = belief.weight(histories[n]);
    goals[arms[n]] +=
        weight * static_cast<double>(sums.goals[n * roles + role]) / std::max(1U, sums.playouts[n]);
    weights[arms[n]] += weight;
  }
  double best = -1;
  std::uint32_t equals = 0;
  for (std::size_t arm = 0; arm < legal.size(); ++arm) {
    const double mean = weights[arm] > 0 ? goals[arm] / weights[arm] : 0;
    if (mean < best) continue;
    equals = mean > best ? 1 : equals + 1;
    best = mean;
    if (rng_.below(equals) == 0) out = legal[arm];
  }
  return gdl::Status::Ok;
}

}  // namespace ludens::search::hidden
