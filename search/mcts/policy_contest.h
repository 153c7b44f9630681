// SPDX-License-Identifier: MIT
// Which of several playout policies is best, by matches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/self_play/self_match.h"

namespace ludens::search::mcts {

/// For half of the time, all policies that may be the best play as many matches against uniform
/// playouts. Those that win these then play each other, each one the best of those before it:
/// policies that win by as much may differ greatly when they meet. For one thread.
class PolicyContest {
 public:
  static constexpr std::size_t kUniform = SIZE_MAX;
  /// Plays two matches with exchanged seats between two policies, by number, or `kUniform`. Returns
  /// the first one's share of the points, or nullopt if there was no time.
  using PlayPair = std::function<std::optional<double>(std::size_t one, std::size_t other)>;

  PolicyContest(std::vector<std::string_view> names, PlayPair play);

  /// `half` ends the matches against uniform playouts if more than one policy wins them.
  void run(const Deadline& half, const Deadline& end);

  /// In the matches against uniform playouts.
  [[nodiscard]] const Score& score(std::size_t policy) const { return scores_[policy]; }
  /// The best of the policies that are surely better than uniform playouts; nullopt if none is.
  [[nodiscard]] std::optional<std::size_t> winner() const { return winner_; }
  /// For people: the scores of all matches.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void play_uniform(const Deadline& end);
  [[nodiscard]] bool may_be_best(const Score& score) const;
  [[nodiscard]] std::vector<std::size_t> winners() const;
  bool beats(std::size_t one, std::size_t other, const Deadline& end);

  std::vector<std::string_view> names_;  // [policy]
  PlayPair play_;
  std::vector<Score> scores_;  // [policy]
  std::optional<std::size_t> winner_;
  std::string explanation_;
};

}  // namespace ludens::search::mcts
