// SPDX-License-Identifier: MIT
#include "search/evaluation/logistic_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ludens::search {

namespace {

constexpr int kNewtonSteps = 6;
constexpr int kGradientSteps = 20;
constexpr double kRestOfGradient = 1e-3;  // of its squares: the direction is good enough
constexpr double kLeastGain = 1e-4;       // of the loss: another step is not worth it

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::vector<double>& to, double factor, const std::vector<double>& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

/// ln(1 + e^x), also for large x.
double soft_plus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

}  // namespace

LogisticFit::LogisticFit(const FluentFeatures& features, const Samples& samples,
                         gdl::RoleIndex role, double ridge, const gdl::StopSignal* stop)
    : features_(features),
      samples_(samples),
      role_(role),
      ridge_(ridge),
      stop_(stop),
      means_(features.size()),
      scale_(features.size() + 1, ridge),
      fluents_(features.fluent_count()) {
  for (std::size_t row = 0; row < samples.size(); ++row) {
    if (!is_held_out(samples.walk(row))) rows_.push_back(row);
  }
  row_curve_.resize(rows_.size());
  row_scratch_.resize(rows_.size());
  measure_features();
}

void LogisticFit::measure_features() {
  constexpr double kCurve = SampleWalks::kPlayouts * 0.25;  // where the goal is open
  std::vector<double> counts(features_.size()), squares(features_.size());
  const auto visit = [&](std::size_t row, auto&& visitor) {
    for (const gdl::FluentId f : samples_.fluents(row)) {
      if (f >= fluents_.size()) continue;
      for (const std::uint32_t feature : features_.of(f)) visitor(feature);
    }
  };
  for (const std::size_t row : rows_) {
    visit(row, [&](std::uint32_t f) { ++counts[f]; });
    visit(row, [&](std::uint32_t f) {
      means_[f] += counts[f];
      squares[f] += counts[f] * counts[f];
      counts[f] = 0;
    });
  }
  const double rows = std::max<double>(1, static_cast<double>(rows_.size()));
  for (std::size_t f = 0; f < means_.size(); ++f) {
    means_[f] /= rows;
    scale_[f + 1] += kCurve * std::max(0.0, squares[f] - rows * means_[f] * means_[f]);
  }
  scale_[0] = kCurve * rows;
}

void LogisticFit::improve(RoleWeights& weights) {
  weights.features.resize(features_.size());
  Vector at{weights.bias};
  at.insert(at.end(), weights.features.begin(), weights.features.end());
  at[0] += mean_sum(at);
  for (int i = 0; i < kNewtonSteps && !stopped() && newton_step(at); ++i) {
  }
  weights.bias = at[0] - mean_sum(at);
  std::copy(at.begin() + 1, at.end(), weights.features.begin());
}

/// The sum over the means of the features, without the bias.
double LogisticFit::mean_sum(const Vector& of) const {
  return std::inner_product(means_.begin(), means_.end(), of.begin() + 1, 0.0);
}

/// The sum of each fitted row, with centred features.
void LogisticFit::sums(const Vector& of, std::vector<double>& out) {
  features_.fold(std::span(of).subspan(1), fluents_);
  const double bias = of[0] - mean_sum(of);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out[i] = bias;
    for (const gdl::FluentId f : samples_.fluents(rows_[i])) {
      if (f < fluents_.size()) out[i] += fluents_[f];
    }
  }
}

/// The transpose of `sums`.
void LogisticFit::spread(const std::vector<double>& rows, Vector& out) {
  std::ranges::fill(fluents_, 0.0);
  out[0] = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out[0] += rows[i];
    for (const gdl::FluentId f : samples_.fluents(rows_[i])) {
      if (f < fluents_.size()) fluents_[f] += rows[i];
    }
  }
  features_.gather(fluents_, std::span(out).subspan(1));
  for (std::size_t f = 0; f < means_.size(); ++f) out[f + 1] -= means_[f] * out[0];
}

/// The function to minimise. Leaves the sums of the rows in `row_scratch_`.
double LogisticFit::loss(const Vector& at) {
  sums(at, row_scratch_);
  double loss = ridge_ / 2 * (dot(at, at) - at[0] * at[0]);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double goal = samples_.goal(rows_[i], role_);
    loss += SampleWalks::kPlayouts * (soft_plus(row_scratch_[i]) - goal * row_scratch_[i]);
  }
  return loss;
}

void LogisticFit::hessian_times(const Vector& direction, Vector& out) {
  sums(direction, row_scratch_);
  for (std::size_t i = 0; i < rows_.size(); ++i) row_scratch_[i] *= row_curve_[i];
  spread(row_scratch_, out);
  for (std::size_t i = 1; i < out.size(); ++i) out[i] += ridge_ * direction[i];
}

/// Solves by scaled conjugate gradients: the Hessian times the result is about `rest`.
LogisticFit::Vector LogisticFit::direction_to(Vector rest) {
  Vector step(rest.size(), 0.0), scaled(rest.size()), image(rest.size());
  const auto scale = [&] {
    for (std::size_t i = 0; i < rest.size(); ++i) scaled[i] = rest[i] / scale_[i];
    return dot(rest, scaled);
  };
  double left = scale();
  const double enough = left * kRestOfGradient;
  Vector direction = scaled;
  for (int i = 0; i < kGradientSteps && left > enough && !stopped(); ++i) {
    hessian_times(direction, image);
    const double length = left / dot(direction, image);
    add(step, length, direction);
    add(rest, -length, image);
    const double before = left;
    left = scale();
    for (std::size_t k = 0; k < direction.size(); ++k) {
      direction[k] = scaled[k] + left / before * direction[k];
    }
  }
  return step;
}

/// False if there is nothing more to gain.
bool LogisticFit::newton_step(Vector& at) {
  const double before = loss(at);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double p = logistic(row_scratch_[i]);
    row_curve_[i] = SampleWalks::kPlayouts * std::max(p * (1 - p), 1e-6);
    row_scratch_[i] = SampleWalks::kPlayouts * (samples_.goal(rows_[i], role_) - p);
  }
  Vector downhill(at.size());
  spread(row_scratch_, downhill);
  for (std::size_t i = 1; i < at.size(); ++i) downhill[i] -= ridge_ * at[i];
  const Vector step = direction_to(std::move(downhill));
  for (double length = 1; length > 0.01; length /= 2) {
    Vector after = at;
    add(after, length, step);
    const double gain = before - loss(after);
    if (gain <= 0) continue;
    at = std::move(after);
    return gain > kLeastGain * before;
  }
  return false;
}

}  // namespace ludens::search
