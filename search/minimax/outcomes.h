// SPDX-License-Identifier: MIT
// Bounds at a chance node: when the outcomes seen so far are enough.
#pragma once

#include <cstdint>
#include <vector>

#include "search/minimax/two_sided.h"

namespace ludens::search {

/// What is known about the outcomes of a chance node, which all have equal weight and values in
/// 0..100. Their mean lies between the mean of their lower bounds and the mean of their upper
/// bounds. So a window of the node gives each outcome a window of its own, outside of which its
/// exact value no longer matters: Star1 (Ballard 1983; Hauk, Buro and Schaeffer 2004). Star2 first
/// searches one move below each outcome, which often bounds it well on one side.
class Outcomes {
 public:
  /// Starts a node with `count` outcomes that is searched with the window.
  void start(std::size_t count, double alpha, double beta, bool probe);

  /// The outcome to search next, or `count` if no more is needed.
  [[nodiscard]] std::size_t next();
  /// Whether that outcome is only probed.
  [[nodiscard]] bool is_probing() const { return probing_; }
  /// The window of the current outcome.
  [[nodiscard]] double alpha() const { return alpha_; }
  [[nodiscard]] double beta() const { return beta_; }

  /// Takes its value in that window; it is a bound if it is outside of the window.
  void take(const Backup& found);
  /// Takes the value of a probe that searched one of several moves of a max node, or of a min node.
  void take_lower(const Backup& found);
  void take_upper(const Backup& found);

  /// The sum over all outcomes, or a bound of it if the window was left; and what is proved.
  [[nodiscard]] Backup sum() const;
  [[nodiscard]] bool is_seen(std::size_t outcome) const { return seen_[outcome] != 0; }

 private:
  void look();  // sets the window of the current outcome
  void settle(double low, double high);
  void prove(const Backup& found);
  void cut(double bound);

  std::vector<double> low_, high_;  // [outcome]: of its value
  std::vector<Backup> proved_;      // [outcome]: the proved interval
  std::vector<std::uint8_t> seen_;  // [outcome]
  double low_sum_ = 0, high_sum_ = 0;
  double node_alpha_ = 0, node_beta_ = 0;  // times the number of outcomes
  double alpha_ = 0, beta_ = 0;
  std::size_t at_ = 0;  // the current outcome is the one before
  bool probing_ = false;
  bool cut_ = false;
  double bound_ = 0;
};

}  // namespace ludens::search
