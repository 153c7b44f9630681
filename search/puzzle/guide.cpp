// SPDX-License-Identifier: MIT
#include "search/puzzle/guide.h"

#include <cmath>

namespace ludens::search::puzzle {

namespace {

/// The weight of chance relative to the openness of a state, and the penalty if a fluent can't be
/// used up.
constexpr float kChanceOfOpen = 0.1F, kClosed = 10;
/// A goal point outweighs every sign.
constexpr float kGoalPoint = 1e4F;
/// Goal points that a move is expected to gain.
constexpr double kPointsPerMove = 10;

}  // namespace

std::vector<Ranking> Guide::rankings() const {
  std::vector<Ranking> out;
  for (const Sign sign : kSigns) {
    if (observations_.goals_tell()) out.push_back({sign, true});
    if (!observations_.goals_tell() || sign != Sign::Chance) out.push_back({sign, false});
  }
  return out;
}

float Guide::rank(const Ranking& ranking, gdl::StateView state, std::span<const gdl::MoveId> moves,
                  int goal) {
  auto rank = static_cast<float>(problem_.rng().uniform());
  if (ranking.goal_first) rank += kGoalPoint * static_cast<float>(goal);
  const auto count = static_cast<float>(moves.size());
  switch (ranking.sign) {
    case Sign::Chance:
    case Sign::Safe:
      return rank;
    case Sign::Most:
      return rank + count;
    case Sign::Fewest:
      return rank - count;
    case Sign::Open:
      return rank * kChanceOfOpen + openness(state, moves);
  }
  return rank;
}

/// The more moves use up a fluent, the less one of them counts.
float Guide::openness(gdl::StateView state, std::span<const gdl::MoveId> moves) {
  if (problem_.machine().fluents(problem_.context(), state, fluents_) != gdl::Status::Ok) return 0;
  for (const gdl::FluentId fluent : fluents_) {
    if (fluent >= users_.size()) users_.resize(fluent + 1);
    users_[fluent] = 0;
  }
  for (const gdl::MoveId move : moves) {
    for (const gdl::FluentId fluent : observations_.used_by(move)) {
      if (fluent < users_.size()) ++users_[fluent];
    }
  }
  float sum = 0;
  for (const gdl::FluentId fluent : fluents_) {
    if (!observations_.is_usable(fluent)) continue;
    sum += users_[fluent] == 0 ? -kClosed : std::log2(static_cast<float>(users_[fluent]));
  }
  return sum;
}

double Guide::estimate(gdl::StateView state) {
  return observations_.goals_tell() ? (100 - goal_of(state)) / kPointsPerMove : 0;
}

int Guide::goal_of(gdl::StateView state) {
  int goal = 0;
  const auto status = problem_.machine().goals(problem_.context(), state, {&goal, 1});
  return status == gdl::Status::Ok ? goal : 0;
}

gdl::StateHash Guide::key(gdl::StateView state, bool without_clock) {
  if (!without_clock) return gdl::hash(state);
  if (problem_.machine().fluents(problem_.context(), state, fluents_) != gdl::Status::Ok) {
    return gdl::hash(state);
  }
  auto& words = position_.words();
  words.clear();
  for (const gdl::FluentId fluent : fluents_) {
    if (!observations_.is_clock(fluent)) words.push_back(fluent);
  }
  return gdl::hash(position_);
}

std::span<const gdl::StateHash> Guide::keys(const Passes& passes, bool without_clock,
                                            const Fingerprints& table) {
  keys_.resize(passes.children());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (passes.ends(i)) continue;
    keys_[i] = key(passes[i].state, without_clock);
    table.prefetch(keys_[i]);
  }
  return keys_;
}

}  // namespace ludens::search::puzzle
