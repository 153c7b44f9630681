// SPDX-License-Identifier: MIT
// Where the values of a search come from: learned in the match, or by somebody else.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "search/learning/learner.h"
#include "search/strategy/strategy.h"

namespace ludens::search::value {

/// How much is learned.
struct LearningPlan {
  /// Shares of the time of the first position, and of later ones at least: where that time is
  /// longer than what was spent on learning so far, the first share counts for the difference.
  double first = 0.8, later = 0.1;
  std::uint64_t games = 0;  // to be learned from in place of that; 0: the clock decides
};

/// The plan for searches whose other limits are counts as well.
inline constexpr LearningPlan kLearningByCounts{.games = 500};

/// Goes on with what was learned of the game before, if that is kept. Learns within a match: mostly
/// at its first position, a little at each later one, and while it ponders. Goes on with what it
/// knows when the machine of the match changes. Not thread-safe.
class Learning {
 public:
  Learning(const LearningPlan& plan, const Resources& resources, std::uint64_t seed);

  /// Takes what somebody else has learned for the position's machine; else learns for a share of
  /// the time until the deadline, or by counts.
  void learn(const Position& position, const Deadline& deadline);
  /// Learns until the deadline, whatever the plan says of shares.
  void learn_until(const Position& position, const Deadline& end);
  /// Learns on other threads, all but one, while it lives and the caller does something else;
  /// nothing where there is but one thread. Meanwhile the caller asks for `values` and `values_of`
  /// alone, which stay what they are until the next `learn_until`.
  class Beside {
   public:
    Beside(Learning& learning, const Position& position);

   private:
    std::jthread thread_;
  };
  /// Joint moves of a game that it played against itself, on average; 0: none was played.
  [[nodiscard]] double length_of_games() const;
  /// Seconds of learning in this match.
  [[nodiscard]] double seconds() const { return seconds_; }
  /// Whether something is known of the position's game already, as soon as it is asked.
  [[nodiscard]] bool recalls(const Position& position, const Deadline& deadline);
  /// Null where nothing could be learned.
  [[nodiscard]] const std::shared_ptr<const ValueFunction>& values() const { return values_; }
  /// The same, where they judge states of that machine; else null.
  [[nodiscard]] std::shared_ptr<const ValueFunction> values_of(const gdl::Machine& machine) const {
    return machine_.get() == &machine ? values_ : nullptr;
  }
  /// Says what was learned, or why nothing was.
  [[nodiscard]] std::string explanation() const;

 private:
  void use(std::shared_ptr<const gdl::Machine> machine);
  void learn_now(const Deadline& end, unsigned threads);
  void take_snapshot();
  void start(const Deadline& deadline);
  bool recall(const Deadline& deadline);
  [[nodiscard]] Deadline share_of(const Deadline& deadline) const;
  [[nodiscard]] std::string source() const;

  ValueProvider given_;
  std::shared_ptr<const KnowledgeStore> store_;
  gdl::MemoryBudget* memory_;
  LearningOptions options_;
  LearningPlan plan_;
  std::shared_ptr<const gdl::Machine> machine_;  // whose states the values judge
  std::shared_ptr<const ValueFunction> values_;
  std::unique_ptr<Learner> learner_;
  bool begun_ = false;  // something was learned
  double seconds_ = 0;
  std::uint64_t recalled_ = 0;  // games of earlier matches
  std::string problem_;         // why there is no learner
  std::string refused_;         // why the knowledge that was found was not used
};

}  // namespace ludens::search::value
