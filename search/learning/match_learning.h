// SPDX-License-Identifier: MIT
// Where the values of a search come from: learned in the match, or elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "search/learning/learner.h"
#include "search/strategy/strategy.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

/// How much is learned.
struct LearningPlan {
  /// The share of the time of the first position, and the minimum share for later ones: if the time
  /// is longer than what was spent on learning so far, the first share applies to the difference.
  double first = 0.8, later = 0.1;
  std::uint64_t games = 0;  // number of games to learn from instead; 0: the clock decides
  /// Moves of a role for which values depend on what it could change by them; stored knowledge has
  /// its own number.
  std::uint32_t reach = 0;
};

/// The length of a turn of pondering, which begins with learning and continues with searching. If
/// it was too short for either, the next turn should be longer.
inline constexpr Seconds kShortestTurn{0.2};

/// The plan for searches whose other limits are counts as well.
inline constexpr LearningPlan kLearningByCounts{.games = 500};

/// Continues with what was learned about the game before, if that is stored. Learns within a match:
/// mostly at its first position, a little at each later one, and while it ponders. Keeps what it
/// knows when the machine of the match changes. Not thread-safe.
class MatchLearning {
 public:
  MatchLearning(const LearningPlan& plan, const Resources& resources, std::uint64_t seed);

  /// Finds out on which machine values are learned: that of the match, or one with what roles can
  /// reach. Takes what was learned elsewhere, or in earlier matches.
  void prepare(const Position& position, const Deadline& deadline);
  /// The position on the machine for whose states the values are; nullopt if that is the position's
  /// own machine.
  [[nodiscard]] std::optional<Position> widened(const Position& position,
                                                const Deadline& deadline) const;
  /// Learns for a share of the time until the deadline, or by counts, unless something was learned
  /// elsewhere. If only a stop token ends that time, for a share of a turn. False if nothing was
  /// learned, as when the time was too short.
  bool learn(const Position& position, const Deadline& deadline, Seconds turn = kShortestTurn);
  /// Learns until the deadline, whatever shares the plan says, if that pays. False if nothing was
  /// learned.
  bool learn_until(const Position& position, const Deadline& end);
  /// Learns on all other threads while it lives and the caller does something else; does nothing if
  /// there is only one thread. Meanwhile the caller may only call `values` and `values_of`, which
  /// do not change until the next `learn_until`.
  class Beside {
   public:
    Beside(MatchLearning& learning, const Position& position, const Deadline& deadline);

   private:
    std::jthread thread_;
  };
  /// The average number of joint moves of a game of self-play; 0: none was played.
  [[nodiscard]] double length_of_games() const;
  /// Seconds of learning in this match, with those that were too few to begin, and before it.
  [[nodiscard]] double seconds() const { return recalled_.seconds + seconds_; }
  /// Whether something is already known about the position's game.
  [[nodiscard]] bool recalls(const Position& position, const Deadline& deadline);
  /// Whether some of it comes from earlier matches.
  [[nodiscard]] bool recalled() const { return recalled_.games > 0; }
  /// Learns anew, values that depend on what roles could change by that many moves. False, without
  /// a change, if the game has no machine for this, or not in time.
  [[nodiscard]] bool look_farther(const Position& position, std::uint32_t moves,
                                  const Deadline& deadline);
  /// Null if nothing could be learned.
  [[nodiscard]] const std::shared_ptr<const ValueFunction>& values() const { return values_; }
  /// The same if they are for states of that machine; otherwise null.
  [[nodiscard]] std::shared_ptr<const ValueFunction> values_for(const gdl::Machine& machine) const {
    return learned_on().get() == &machine ? values_ : nullptr;
  }
  /// What was learned in a match on that machine.
  [[nodiscard]] LearnedValues values_of(const gdl::Machine& machine) const {
    return machine_.get() == &machine ? LearnedValues{values_, wide_} : LearnedValues{};
  }
  /// Says what was learned, or why nothing was.
  [[nodiscard]] std::string explanation() const;

 private:
  [[nodiscard]] std::shared_ptr<const gdl::Machine> learned_on() const {
    return wide_ != nullptr ? wide_ : machine_;
  }
  bool use(const std::shared_ptr<const gdl::Machine>& machine, const Deadline& deadline);
  void turn_to_machine(const std::shared_ptr<const gdl::Machine>& machine);
  void resume();
  [[nodiscard]] bool is_too_short(const Deadline& deadline) const;
  void note_too_short(Seconds taken);
  bool take_given(const std::shared_ptr<const gdl::Machine>& machine);
  bool widen(std::uint32_t moves, const Deadline& deadline);
  void forget();
  void learn_now(const Deadline& end, unsigned threads);
  void give_up(const char* why) noexcept;
  void take_snapshot();
  void start(const Deadline& deadline);
  bool turn_to(const Position& position, const Deadline& deadline);
  bool turn_to_learn(const Position& position, const Deadline& end);
  [[nodiscard]] bool pays(const Deadline& end) const;
  void recall(const Deadline& deadline);
  std::optional<std::string> go_on_from(const std::string& bytes, const gdl::CanonicalNames& names,
                                        const Deadline& deadline);
  [[nodiscard]] Deadline share_of(const Deadline& deadline, Seconds turn) const;
  [[nodiscard]] std::uint64_t plies() const {
    return learner_ == nullptr ? 0 : learner_->statistics().plies;
  }
  [[nodiscard]] std::string source() const;

  ValueProvider given_;
  std::shared_ptr<const KnowledgeStore> store_;
  gdl::MemoryBudget* memory_;
  LearningOptions options_;
  LearningPlan plan_;
  std::uint32_t reach_;                                // moves, of `wide_` if the game has it
  std::shared_ptr<const gdl::Vocabulary> vocabulary_;  // of the game; null: not known yet
  std::shared_ptr<const gdl::Machine> machine_;        // of the match; null: not known yet
  /// The same with what roles can reach, for whose states the values are; null: they are for those
  /// of the match.
  std::shared_ptr<const gdl::ReachMachine> wide_;
  std::shared_ptr<const ValueFunction> values_;
  std::unique_ptr<Learner> learner_;
  bool ready_ = false;           // `wide_` is made, or won't be
  bool begun_ = false;           // whether something was learned
  double seconds_ = 0;           // in this match
  Seconds too_short_{0};         // the longest time that was not enough for `wide_` or a learner
  LearningStatistics recalled_;  // of earlier matches
  std::string problem_;          // why there is no learner
  std::string refused_;          // why the knowledge that was found was not used
  std::string reach_refused_;    // why values don't depend on what roles can reach
  bool given_values_ = false;    // values are from elsewhere
  bool asked_store_ = false;     // about this game
};

}  // namespace ludens::search
