// SPDX-License-Identifier: MIT
#include "search/evaluation/leaf_values.h"

#include "search/strategy/first_choice.h"

namespace ludens::search {

bool LeafValues::settle(GameTree& tree, Arrival arrival, Backup& out) {
  out = Backup::estimate(kUnknownValue);
  switch (arrival) {
    case Arrival::Stopped:
      return false;
    case Arrival::Recurrence:
      // A mean over a cycle is below its limit, so what is found there proves no upper bound.
      out = {kNeverEnds, kNeverEnds, mean_ && tree.recurs_by_chance() ? 100 : kNeverEnds};
      return true;
    case Arrival::Terminal: {
      goals_.resize(tree.machine().role_count());
      const gdl::Status status = tree.goals(goals_);
      if (status == gdl::Status::Ok) out = Backup::exact(goals_[tree.first()]);
      return status != gdl::Status::Stopped;
    }
    case Arrival::Horizon: {
      double value = kUnknownValue;
      const bool going_on = evaluate(tree, value);
      out = Backup::estimate(value);
      return going_on;
    }
    case Arrival::Unknown:
    case Arrival::Branch:
      return true;
  }
  return true;
}

bool LeafValues::evaluate(GameTree& tree, double& out) {
  estimates_.resize(tree.machine().role_count());
  if (evaluation_->exhausted()) return false;
  const gdl::Status status = evaluation_->evaluate(tree, estimates_);
  out = status == gdl::Status::Ok ? estimates_[tree.first()] : kUnknownValue;
  return status != gdl::Status::Stopped;
}

bool LeafValues::evaluate(GameTree& tree, const gdl::Expansion& states, std::vector<double>& out) {
  if (evaluation_->exhausted()) return false;
  const std::size_t roles = tree.machine().role_count();
  estimates_.resize(states.states.size() * roles);
  const gdl::Status status =
      evaluation_->evaluate(tree.machine(), tree.context(), states, estimates_);
  out.assign(states.states.size(), kUnknownValue);
  for (std::size_t i = 0; i < out.size() && status == gdl::Status::Ok; ++i) {
    out[i] = estimates_[i * roles + tree.first()];
  }
  return status != gdl::Status::Stopped;
}

}  // namespace ludens::search
