// SPDX-License-Identifier: MIT
// Logistic regression on sums over fluents.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/memory/limits.h"
#include "search/evaluation/fluent_features.h"
#include "search/evaluation/samples.h"

namespace ludens::search {

/// The expected goal of a role, 0..1: the logistic function of a sum.
struct RoleWeights {
  double bias = 0;
  std::vector<double> features;  // [feature]
};

/// Fits a role's weights to the rows that are not held out: the logarithm of the likelihood of all
/// their playouts, less half of `ridge` times the squares of the weights. Truncated Newton steps
/// (Lin, Weng and Keerthi 2008): each by conjugate gradients on the Hessian, which is never
/// written out. Features are taken less their means, and the gradients are scaled by how much each
/// varies: the sizes of groups differ by far. Begins with the weights as they are, so that those of
/// fewer samples are a start. When `stop` says so it ends between two steps, with weights that are
/// better than before.
class LogisticFit {
 public:
  /// Those after the first of these many walks are held out.
  static constexpr std::uint32_t kHoldOut = 5;
  [[nodiscard]] static bool is_held_out(std::uint32_t walk) { return walk % kHoldOut == 0; }

  LogisticFit(const FluentFeatures& features, const Samples& samples, gdl::RoleIndex role,
              double ridge, const gdl::StopSignal* stop);

  void improve(RoleWeights& weights);

 private:
  /// A vector over the bias and all features.
  using Vector = std::vector<double>;

  void measure_features();
  bool newton_step(Vector& at);
  [[nodiscard]] Vector direction_to(Vector rest);
  [[nodiscard]] double mean_sum(const Vector& of) const;
  [[nodiscard]] double loss(const Vector& at);
  void sums(const Vector& of, std::vector<double>& out);
  void spread(const std::vector<double>& rows, Vector& out);
  void hessian_times(const Vector& direction, Vector& out);
  [[nodiscard]] bool stopped() const { return stop_ != nullptr && stop_->stop_requested(); }

  const FluentFeatures& features_;
  const Samples& samples_;
  gdl::RoleIndex role_;
  double ridge_;
  const gdl::StopSignal* stop_;
  std::vector<std::size_t> rows_;  // that are fitted
  std::vector<double> means_;      // [feature]
  Vector scale_;                   // about what the diagonal of the Hessian is
  std::vector<double> fluents_;    // scratch, [fluent]
  std::vector<double> row_curve_, row_scratch_;
};

}  // namespace ludens::search
