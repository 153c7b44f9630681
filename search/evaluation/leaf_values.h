// SPDX-License-Identifier: MIT
// Values of nodes that are not searched further, as the searching role sees them.
#pragma once

#include <memory>
#include <vector>

#include "search/evaluation/evaluation.h"
#include "search/tree/backup.h"
#include "search/tree/depth_first.h"

namespace ludens::search {

class LeafValues {
 public:
  /// `mean`: the role `random` counts with the mean of its moves, otherwise as an opponent.
  LeafValues(std::unique_ptr<Evaluation> evaluation, bool mean)
      : evaluation_(std::move(evaluation)), mean_(mean) {}

  /// The value of the tree's current node; `arrival` must not be Branch. False when stopped, or if
  /// the evaluation has used up its allowance.
  bool settle(GameTree& tree, Arrival arrival, Backup& out);
  /// The evaluation of the tree's current state, 0..100; false when stopped.
  bool evaluate(GameTree& tree, double& out);
  /// The searching role's evaluations of all states of an expansion, 0..100, by pair; false when
  /// stopped.
  bool evaluate(GameTree& tree, const gdl::Expansion& states, std::vector<double>& out);
  [[nodiscard]] bool evaluates_cheaply() const { return evaluation_->is_cheap(); }

 private:
  std::unique_ptr<Evaluation> evaluation_;
  bool mean_;
  std::vector<int> goals_;
  std::vector<double> estimates_;
};

}  // namespace ludens::search
