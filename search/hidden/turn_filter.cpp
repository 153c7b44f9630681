// SPDX-License-Identifier: MIT
#include "search/hidden/turn_filter.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "search/hidden/known_hash.h"

namespace ludens::search::hidden {

gdl::Status TurnFilter::run(const Histories& before, const Proposals& proposals,
                            const KnownTurn& turn, MatchPhase match, Histories& out,
                            std::vector<std::size_t>& kept) {
  const std::size_t roles = before.roles;
  const auto joint_of = [&](std::size_t proposal) {
    return std::span(proposals.joints).subspan(proposal * roles, roles);
  };
  pairs_.clear();
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    pairs_.push_back({before.states[proposals.from[i]], joint_of(i)});
  }
  kept.clear();
  if (const auto s = machine_.perceive(context_, pairs_, percepts_); s != gdl::Status::Ok) return s;
  fitting_.clear();
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    if (!std::ranges::equal(percepts_.of(i, role_, roles), turn.percepts)) continue;
    pairs_[fitting_.size()] = pairs_[i];
    fitting_.push_back(i);
  }
  pairs_.resize(fitting_.size());
  if (pairs_.empty()) return gdl::Status::Ok;
  if (const auto s = machine_.expand(context_, pairs_, expansion_); s != gdl::Status::Ok) return s;
  for (std::size_t pair = 0; pair < fitting_.size(); ++pair) {
    if ((expansion_.terminal[pair] != 0) != (match == MatchPhase::IsOver)) continue;
    const std::size_t i = fitting_[pair], from = proposals.from[i];
    out.append(before, from, joint_of(i), expansion_, pair);
    out.weights.back() = proposals.weights[i];
    out.chances.back() = before.chances[from] - std::log(before.choices_of_others(from, role_));
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      out.knowledge[(out.size() - 1) * roles + r] =
          learned(before.known_by(from, r), joint_of(i)[r], percepts_.of(i, r, roles));
    }
    kept.push_back(i);
  }
  return gdl::Status::Ok;
}

}  // namespace ludens::search::hidden
