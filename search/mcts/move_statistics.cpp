// SPDX-License-Identifier: MIT
#include "search/mcts/move_statistics.h"

#include <algorithm>
#include <cmath>

namespace ludens::search::mcts {

namespace {

constexpr double kPriorTimes = 20;                    // times, with the mean of all moves
constexpr double kLeastWeight = 1, kMostWeight = 15;  // four bits, which the choice supports

}  // namespace

void MoveStatistics::add(const gdl::PlayoutSums& sums, std::size_t roles) {
  if (roles_.size() < roles) roles_.resize(roles);
  for (std::size_t row = 0; row < sums.moves.size(); ++row) {
    Role& role = roles_[row % roles];
    const auto& moves = sums.moves[row];
    if (role.moves.size() < moves.size()) role.moves.resize(moves.size());
    for (std::size_t m = 0; m < moves.size(); ++m) {
      if (moves[m].made == 0) continue;
      const auto made = static_cast<double>(moves[m].made);
      const double won =
          (made + static_cast<double>(moves[m].won) - static_cast<double>(moves[m].lost)) / 2;
      for (Count* count : {&role.moves[m], &role.all}) {
        count->made += made;
        count->won += won;
      }
    }
  }
  for (const std::uint32_t playouts : sums.playouts) playouts_ += playouts;
}

void MoveStatistics::fade() {
  const auto halve = [](Count& count) {
    count.made /= 2;
    count.won /= 2;
  };
  for (Role& role : roles_) {
    halve(role.all);
    std::ranges::for_each(role.moves, halve);
  }
  playouts_ /= 2;
}

double MoveStatistics::mean_of(const Role& role, const Count& count) {
  const double usual = role.all.made > 0 ? role.all.won / role.all.made : 0.5;
  return (count.won + kPriorTimes * usual) / (count.made + kPriorTimes);
}

MoveMeans MoveStatistics::means() const {
  MoveMeans means;
  for (const Role& role : roles_) {
    MoveMeans::Row& row = means.rows.emplace_back();
    row.usual = static_cast<float>(mean_of(role, {}));
    for (const Count& count : role.moves) {
      row.moves.push_back(static_cast<float>(mean_of(role, count)));
    }
  }
  return means;
}

/// An average move gets weight 2, which leaves more range for better moves.
gdl::MoveWeights MoveStatistics::weights(double inverse_temperature) const {
  constexpr double kUsual = 2;
  gdl::MoveWeights weights;
  for (const Role& role : roles_) {
    auto& row = weights.rows.emplace_back();
    const double usual = mean_of(role, {});
    for (const Count& count : role.moves) {
      const double weight = kUsual * std::exp(inverse_temperature * (mean_of(role, count) - usual));
      row.push_back(
          static_cast<std::uint8_t>(std::lround(std::clamp(weight, kLeastWeight, kMostWeight))));
    }
  }
  return weights;
}

}  // namespace ludens::search::mcts
