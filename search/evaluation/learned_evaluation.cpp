// SPDX-License-Identifier: MIT
#include "search/evaluation/learned_evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace ludens::search {

namespace {

using gdl::Status;

/// Weights of the squares of all weights relative to the playouts of the rows: the smallest that
/// helps to predict is used.
constexpr double kRidges[] = {1000, 200, 40, 8};
/// A model that explains less is dropped.
constexpr double kLeastExplained = 0.03;
constexpr std::size_t kLeastRows = 300;
constexpr std::size_t kMostRows = 12'000;
/// The number of rows if nothing depends on the clock.
constexpr std::size_t kCountedRows = 3'000, kCountedRowsLater = 500;
constexpr int kFirstShare = 4, kLaterShare = 20;  // one part in this many of the time
constexpr double kGatherShare = 0.7;              // of that; fitting takes the rest
/// In less time nothing can be learned.
constexpr auto kLeastTime = std::chrono::milliseconds(50);
constexpr unsigned kMostAttempts = 3;  // without success

}  // namespace

void LearnedModel::evaluate(std::span<const gdl::FluentId> fluents, std::span<double> out) const {
  for (std::size_t r = 0; r < roles_.size(); ++r) {
    const Role& role = roles_[r];
    double sum = role.bias;
    for (const gdl::FluentId f : fluents) {
      if (f < role.weights.size()) sum += role.weights[f];
    }
    out[r] = 1 / (1 + std::exp(-sum));
  }
}

void EvaluationLearner::forget(const Position& position) {
  game_ = position.machine->vocabulary();
  features_.reset();
  samples_.reset();
  held_.release();
  weights_.clear();
  next_walk_ = 0;
  attempts_ = 0;
  useful_ = false;
  explanation_.clear();
}

Deadline EvaluationLearner::share_of(const Deadline& deadline) const {
  if (by_counts_) return deadline;
  const auto now = std::chrono::steady_clock::now();
  return deadline.no_later_than(now +
                                (deadline.at() - now) / (useful_ ? kLaterShare : kFirstShare));
}

void EvaluationLearner::learn(const Position& position, const Deadline& deadline,
                              gdl::MemoryBudget* memory) {
  if (game_ != position.machine->vocabulary()) forget(position);
  if (!by_counts_ && deadline.at() == TimePoint::max()) return;  // it may be stopped at any moment
  if (!useful_ && attempts_ >= kMostAttempts) return;
  const auto begin = std::chrono::steady_clock::now();
  const Deadline end = share_of(deadline);
  if (!by_counts_ && end.at() - begin < (useful_ ? fitting_ : kLeastTime)) return;
  if (!features_ || features_->fluent_count() != game_->fluent_count()) {
    features_.emplace(*game_);
    weights_.clear();
  }
  const std::size_t roles = position.machine->role_count();
  if (!samples_) samples_.emplace(roles);
  weights_.resize(roles);
  if (!gather(position, end, memory)) return;
  ++attempts_;
  if (samples_->size() < kLeastRows) {
    explanation_ = "no time to learn an evaluation";
    return;
  }
  const auto gathered = std::chrono::steady_clock::now();
  improve(*position.machine, end);
  fitting_ = 2 * (std::chrono::steady_clock::now() - gathered);
  useful_ = model_.explained_ >= kLeastExplained;
  char text[128];
  std::snprintf(text, sizeof text, "learned from %zu states, explains %.1f %% of variance%s",
                samples_->size(), 100 * model_.explained_, useful_ ? "" : ": dropped");
  explanation_ = text;
}

/// Reduces the ridge step by step, as long as held-out states are predicted better; keeps the best
/// value.
void EvaluationLearner::improve(const gdl::Machine& machine, const Deadline& end) {
  if (useful_) {
    fit(machine, ridge_, end);
    return adopt(machine);
  }
  model_.explained_ = -std::numeric_limits<double>::infinity();  // even a bad fit is one
  for (const double ridge : kRidges) {
    const double best = model_.explained_;
    const std::vector<RoleWeights> before = weights_;
    fit(machine, ridge, end);
    adopt(machine);
    if (model_.explained_ <= best) {
      weights_ = before;
      return adopt(machine);
    }
    ridge_ = ridge;
    if (!by_counts_ && end.stop_requested()) return;
  }
}

/// False if there is no memory for as many samples again, because growing arrays double.
bool EvaluationLearner::hold_samples(gdl::MemoryBudget* memory) {
  return held_.hold(2 * samples_->bytes(), memory);
}

/// False if no state could be sampled.
bool EvaluationLearner::gather(const Position& position, const Deadline& end,
                               gdl::MemoryBudget* memory) {
  const auto now = std::chrono::steady_clock::now();
  const Deadline stop =
      by_counts_ ? end
                 : end.no_later_than(now + std::chrono::duration_cast<TimePoint::duration>(
                                               (end.at() - now) * kGatherShare));
  const auto context = position.machine->make_context({&stop, memory});
  SampleWalks walks(*position.machine, *context, position.state, rng_, next_walk_);
  const std::size_t before = samples_->size();
  const std::size_t wanted = !by_counts_ ? kMostRows : useful_ ? kCountedRowsLater : kCountedRows;
  bool walked = true;
  while (walked && samples_->size() < before + wanted) {
    if (walks.gather(*samples_, walked) != Status::Ok || !hold_samples(memory)) break;
  }
  next_walk_ = walks.next_walk();
  const bool grown = samples_->size() > before;
  samples_->forget_all_but(kMostRows);
  return grown;
}

/// All roles get the same time. If the goals of two roles are complementary, only one is fitted.
void EvaluationLearner::fit(const gdl::Machine& machine, double ridge, const Deadline& end) {
  std::vector<gdl::RoleIndex> evaluated;
  for (gdl::RoleIndex r = 0; r < weights_.size(); ++r) {
    if (r != machine.random_role()) evaluated.push_back(r);
  }
  const bool opposed = evaluated.size() == 2 && samples_->opposed(evaluated[0], evaluated[1]);
  std::size_t left = opposed ? 1 : evaluated.size();
  for (const gdl::RoleIndex r : std::span(evaluated).first(left)) {
    const auto now = std::chrono::steady_clock::now();
    const Deadline part =
        by_counts_ ? end : end.no_later_than(now + (end.at() - now) / static_cast<int>(left));
    LogisticFit(*features_, *samples_, r, ridge, &part).improve(weights_[r]);
    --left;
  }
  if (!opposed) return;
  RoleWeights& other = weights_[evaluated[1]] = weights_[evaluated[0]];
  other.bias = -other.bias;
  for (double& weight : other.features) weight = -weight;
}

/// Makes the model from the weights, and tests it on states to which they were not fitted.
void EvaluationLearner::adopt(const gdl::Machine& machine) {
  model_.roles_.assign(weights_.size(), {});
  std::optional<double> least;
  std::vector<double> fluents(features_->fluent_count());
  for (gdl::RoleIndex r = 0; r < weights_.size(); ++r) {
    LearnedModel::Role& role = model_.roles_[r];
    role.evaluated = r != machine.random_role();
    if (!role.evaluated) continue;
    role.bias = weights_[r].bias;
    features_->fold(weights_[r].features, fluents);
    role.weights.assign(fluents.begin(), fluents.end());
  }
  for (gdl::RoleIndex r = 0; r < weights_.size(); ++r) {
    const auto share = model_.roles_[r].evaluated ? explained(r) : std::nullopt;
    if (share) least = std::min(least.value_or(1), *share);
  }
  model_.explained_ = least.value_or(0);
}

/// nullopt for a role whose goal is always the same.
std::optional<double> EvaluationLearner::explained(gdl::RoleIndex role) const {
  double sum = 0, squares = 0, errors = 0;
  std::size_t count = 0;
  std::vector<double> evaluated(weights_.size());
  for (std::size_t row = 0; row < samples_->size(); ++row) {
    if (!LogisticFit::is_held_out(samples_->walk(row))) continue;
    model_.evaluate(samples_->fluents(row), evaluated);
    const double goal = samples_->goal(row, role);
    sum += goal;
    squares += goal * goal;
    errors += (goal - evaluated[role]) * (goal - evaluated[role]);
    ++count;
  }
  if (count == 0) return 0;
  const double variance = squares - sum * sum / static_cast<double>(count);
  if (variance <= 1e-9 * static_cast<double>(count)) return std::nullopt;
  return 1 - errors / variance;
}

}  // namespace ludens::search
