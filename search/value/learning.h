// SPDX-License-Identifier: MIT
// Where the values of a search come from: learned in the match, or elsewhere.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "search/learning/learner.h"
#include "search/strategy/strategy.h"

namespace ludens::search::value {

/// How much is learned.
struct LearningPlan {
  /// The share of the time of the first position, and the minimum share for later ones: if the time
  /// is longer than what was spent on learning so far, the first share applies to the difference.
  double first = 0.8, later = 0.1;
  std::uint64_t games = 0;  // number of games to learn from instead; 0: the clock decides
};

/// The plan for searches whose other limits are counts as well.
inline constexpr LearningPlan kLearningByCounts{.games = 500};

/// Continues with what was learned about the game before, if that is stored. Learns within a match:
/// mostly at its first position, a little at each later one, and while it ponders. Keeps what it
/// knows when the machine of the match changes. Not thread-safe.
class Learning {
 public:
  Learning(const LearningPlan& plan, const Resources& resources, std::uint64_t seed);

  /// Uses what was learned elsewhere for the position's machine; otherwise learns for a share of
  /// the time until the deadline, or by counts.
  void learn(const Position& position, const Deadline& deadline);
  /// Learns until the deadline, whatever shares the plan says.
  void learn_until(const Position& position, const Deadline& end);
  /// Learns on all other threads while it lives and the caller does something else; does nothing if
  /// there is only one thread. Meanwhile the caller may only call `values` and `values_of`, which
  /// do not change until the next `learn_until`.
  class Beside {
   public:
    Beside(Learning& learning, const Position& position);

   private:
    std::jthread thread_;
  };
  /// The average number of joint moves of a game of self-play; 0: none was played.
  [[nodiscard]] double length_of_games() const;
  /// Seconds of learning in this match.
  [[nodiscard]] double seconds() const { return seconds_; }
  /// Whether something is already known about the position's game.
  [[nodiscard]] bool recalls(const Position& position, const Deadline& deadline);
  /// Null if nothing could be learned.
  [[nodiscard]] const std::shared_ptr<const ValueFunction>& values() const { return values_; }
  /// The same if they are for states of that machine; otherwise null.
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
  std::shared_ptr<const gdl::Machine> machine_;  // for whose states the values are
  std::shared_ptr<const ValueFunction> values_;
  std::unique_ptr<Learner> learner_;
  bool begun_ = false;  // whether something was learned
  double seconds_ = 0;
  std::uint64_t recalled_ = 0;  // games of earlier matches
  std::string problem_;         // why there is no learner
  std::string refused_;         // why the knowledge that was found was not used
};

}  // namespace ludens::search::value
