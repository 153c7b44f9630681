// SPDX-License-Identifier: MIT
// Is the first player better than the second? A test that stops as soon as it can decide.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/tournament/plan.h"

namespace ludens::server {

enum class SprtDecision { Undecided, AcceptH0, AcceptH1 };
const char* name_of(SprtDecision decision);  // "undecided", "H0", "H1"

/// The generalized sequential probability ratio test of Wald ("Sequential Analysis", 1947) for a
/// mean of block scores whose distribution is not known: the log-likelihood ratio (LLR) is that of
/// the most likely distributions with the mean of H1 and of H0, given the scores seen (Van den
/// Bergh, "Comments on Normalized Elo", proposition 1.1, as fishtest, OpenBench and fastchess use
/// it for pairs of games; Owen, "Empirical Likelihood", 2001). If there are many blocks and the
/// hypotheses are close, it is n (s1 - s0) (2 mean - s0 - s1) / (2 variance), with the empirical
/// variance of block scores; but it stays sound if there are few blocks or if all are equal, unlike
/// that formula. To keep both hypotheses possible at all times, a thousandth of a block is added at
/// either end of the scale, as in fishtest.
///
/// Scores must be added in an order that does not depend on them: the order in which matches end is
/// not such an order if several are played at once, because short matches may favour one side. The
/// order of the schedule is one (sprt_progress.h). The test is over with its decision: later
/// scores, of matches that were running, are ignored. If H0 is true, H1 is accepted with a
/// probability of about alpha; if H1 is true, H0 with one of about beta.
class Sprt {
 public:
  explicit Sprt(const SprtPlan& plan);

  /// A block score of the first player against the second, 0..1, where 0.5 means equally good.
  void add(double score);

  [[nodiscard]] const SprtPlan& plan() const { return plan_; }
  [[nodiscard]] std::size_t blocks() const { return blocks_; }  // until the decision
  [[nodiscard]] double llr() const { return llr_; }
  [[nodiscard]] double lower() const { return lower_; }  // at or below: H0
  [[nodiscard]] double upper() const { return upper_; }  // at or above: H1
  [[nodiscard]] SprtDecision decision() const { return decision_; }

 private:
  struct Count {
    double score, times;
  };
  /// A mean that may be the true one, and the multiplier that fits it to the scores seen.
  struct Hypothesis {
    double mean, theta = 0;
  };
  void count(double score);
  [[nodiscard]] double maximum_log_likelihood(Hypothesis& hypothesis) const;

  SprtPlan plan_;
  Hypothesis h0_, h1_;
  double lower_;
  double upper_;
  std::vector<Count> counts_;  // by score
  std::size_t blocks_ = 0;
  double llr_ = 0;
  SprtDecision decision_ = SprtDecision::Undecided;
};

}  // namespace ludens::server
