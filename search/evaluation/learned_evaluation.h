// SPDX-License-Identifier: MIT
// An evaluation that is learned from playouts during a match.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/evaluation/logistic_fit.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// What was learned: for each role the logistic function of a sum of weights of the fluents that
/// hold. Ids are those of the vocabulary, so it stays valid when the machine changes. Any number of
/// threads may read it.
class LearnedModel {
 public:
  /// Goals of all roles, scaled to 0..1; `random` gets no value.
  void evaluate(std::span<const gdl::FluentId> fluents, std::span<double> out) const;
  /// The explained share of the variance of held-out states' goals, for the role where it is
  /// smallest. There are few playouts for each state, and nothing explains their randomness.
  [[nodiscard]] double explained() const { return explained_; }

 private:
  friend class EvaluationLearner;
  struct Role {
    bool evaluated = true;
    double bias = 0;
    std::vector<float> weights;  // [fluent]
  };
  std::vector<Role> roles_;
  double explained_ = 0;
};

/// Evaluates states: takes their fluents from a machine and their values from a model. For one
/// thread.
class StateEvaluator {
 public:
  gdl::Status evaluate(const LearnedModel& model, const gdl::Machine& machine,
                       gdl::Machine::Context& context, gdl::StateView state,
                       std::span<double> out) {
    const gdl::Status status = machine.fluents(context, state, fluents_);
    if (status == gdl::Status::Ok) model.evaluate(fluents_, out);
    return status;
  }

 private:
  std::vector<gdl::FluentId> fluents_;
};

/// Learns within a match: mostly at its first position, and, if that helped, a little at each later
/// one if there is time, from states that the match may still reach. Not thread-safe.
class EvaluationLearner {
 public:
  /// `by_counts`: nothing depends on the clock.
  EvaluationLearner(std::uint64_t seed, bool by_counts) : rng_(seed), by_counts_(by_counts) {}

  /// Spends a share of the time until the deadline. `memory` may be null.
  void learn(const Position& position, const Deadline& deadline, gdl::MemoryBudget* memory);
  /// Null if nothing was learned, or if it predicts no better than the mean.
  [[nodiscard]] const LearnedModel* model() const { return useful_ ? &model_ : nullptr; }
  /// The result; empty before anything was tried.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void forget(const Position& position);
  bool hold_samples(gdl::MemoryBudget* memory);
  [[nodiscard]] Deadline share_of(const Deadline& deadline) const;
  bool gather(const Position& position, const Deadline& end, gdl::MemoryBudget* memory);
  void improve(const gdl::Machine& machine, const Deadline& end);
  void fit(const gdl::Machine& machine, double ridge, const Deadline& end);
  void adopt(const gdl::Machine& machine);
  [[nodiscard]] std::optional<double> explained(gdl::RoleIndex role) const;

  gdl::Rng rng_;
  bool by_counts_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::optional<FluentFeatures> features_;
  std::optional<Samples> samples_;
  gdl::HeldMemory held_;              // for the samples
  std::vector<RoleWeights> weights_;  // [role]
  std::uint32_t next_walk_ = 0;
  unsigned attempts_ = 0;
  bool useful_ = false;
  double ridge_ = 0;               // the value that predicts best
  TimePoint::duration fitting_{};  // approximate time to gather and fit again
  LearnedModel model_;
  std::string explanation_;
};

}  // namespace ludens::search
