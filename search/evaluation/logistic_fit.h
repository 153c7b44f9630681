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

/// Fits a role's weights to the rows that are not held out. It maximises the log-likelihood of all
/// their playouts minus half of `ridge` times the squares of the weights. Truncated Newton steps
/// (Lin, Weng and Keerthi 2008): each by conjugate gradients on the Hessian, which is never stored.
/// Features are centred, and gradients are scaled by the variation of each feature, because the
/// sizes of groups differ widely. Starts from the current weights, so that those fitted to fewer
/// samples can be continued. When `stop` asks for it, the fit ends between two steps, with better
/// weights than before.
class LogisticFit {
 public:
  /// One of this many walks is held out.
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
  std::vector<std::size_t> rows_;  // the fitted rows
  std::vector<double> means_;      // [feature]
  Vector scale_;                   // approximates the diagonal of the Hessian
  std::vector<double> fluents_;    // scratch, [fluent]
  std::vector<double> row_curve_, row_scratch_;
};

}  // namespace ludens::search
