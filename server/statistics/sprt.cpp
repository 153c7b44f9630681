// SPDX-License-Identifier: MIT
#include "server/statistics/sprt.h"

#include <algorithm>
#include <cmath>

#include "server/statistics/elo.h"

namespace ludens::server {

namespace {

constexpr double kTraceOfABlock = 1e-3;

}  // namespace

const char* name_of(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::AcceptH0:
      return "H0";
    case SprtDecision::AcceptH1:
      return "H1";
    case SprtDecision::Undecided:
      break;
  }
  return "undecided";
}

Sprt::Sprt(const SprtPlan& plan)
    : plan_(plan),
      h0_{score_of_elo(plan.elo0)},
      h1_{score_of_elo(plan.elo1)},
      lower_(std::log(plan.beta / (1 - plan.alpha))),
      upper_(std::log((1 - plan.beta) / plan.alpha)),
      counts_{{0, kTraceOfABlock}, {1, kTraceOfABlock}} {}

void Sprt::add(double score) {
  if (decision_ != SprtDecision::Undecided) return;
  count(score);
  ++blocks_;
  llr_ = maximum_log_likelihood(h1_) - maximum_log_likelihood(h0_);
  if (llr_ >= upper_) decision_ = SprtDecision::AcceptH1;
  if (llr_ <= lower_) decision_ = SprtDecision::AcceptH0;
}

void Sprt::count(double score) {
  const auto place =
      std::lower_bound(counts_.begin(), counts_.end(), score,
                       [](const Count& seen, double wanted) { return seen.score < wanted; });
  if (place != counts_.end() && place->score == score) {
    place->times += 1;
  } else {
    counts_.insert(place, {score, 1});
  }
}

/// Of all distributions on the scores seen that have this mean, the most likely one gives a score x
/// that came c of n times the probability c / n / (1 + theta (x - mean)), with theta such that the
/// mean is right: the root of sum c (x - mean) / (1 + theta (x - mean)), which falls throughout the
/// interval in which all these probabilities are positive. It is found by Newton's method within a
/// bracket, starting from the previous root. The result omits terms that are the same for all
/// means.
double Sprt::maximum_log_likelihood(Hypothesis& hypothesis) const {
  constexpr int kMostSteps = 100;
  constexpr double kPrecision = 1e-10;  // the result is off by its square
  const double mean = hypothesis.mean;
  double low = -1 / (1 - mean), high = 1 / mean;  // the ends of the scale are always there
  double theta = hypothesis.theta;
  for (int step = 0; step < kMostSteps; ++step) {
    double value = 0, slope = 0;
    for (const auto& [score, times] : counts_) {
      const double part = (score - mean) / (1 + theta * (score - mean));
      value += times * part;
      slope -= times * part * part;
    }
    (value > 0 ? low : high) = theta;
    double next = theta - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const bool there = std::abs(next - theta) <= kPrecision;
    theta = next;
    if (there) break;
  }
  hypothesis.theta = theta;
  double sum = 0;
  for (const auto& [score, times] : counts_) sum -= times * std::log1p(theta * (score - mean));
  return sum;
}

}  // namespace ludens::server
