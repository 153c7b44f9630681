// SPDX-License-Identifier: MIT
// Which search has most of the time of a match: what is learned in its first thinking time, and
// which search then wins short matches.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "search/auto/plan.h"
#include "search/auto/race.h"
#include "search/learning/match_learning.h"
#include "search/mcts/playout_policy.h"
#include "search/strategy/factory.h"
#include "search/strategy/options.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

/// The comparison of one match after another. Not thread-safe, and stays where it is made: the
/// searches of the match refer to it.
class Comparison {
 public:
  /// `options`: of `auto`. `repeatable`: nothing is compared, as that goes by the clock.
  Comparison(const Options& options, const Resources& resources, StrategyFactory make,
             bool repeatable, gdl::Rng& rng);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// For the searches of the match: with what was learned, and with the playouts that were chosen.
  [[nodiscard]] const Resources& resources() const { return shared_; }
  /// Another match begins.
  void forget();

  /// Compares in the first thinking time of a match, which has `time` in all, once, and as soon as
  /// the machine for many states at once is ready: another machine would be unfair to playouts, and
  /// nothing could be learned on it. If a faster machine or the next move cuts it short, the next
  /// thinking time has another one; what was learned stays.
  void compare(const Position& position, const AutoPlan& plan, Seconds time,
               const Deadline& deadline);
  [[nodiscard]] bool compared() const { return compared_; }
  /// While pondering, continues to learn if values may still become better than the chosen search.
  /// When twice as much was learned as before the last race, they have another one; if that is
  /// interrupted, nothing changes, and it goes on next time. `time` is that of a move.
  void compare_again(const Position& position, const AutoPlan& plan, Seconds time,
                     const Deadline& deadline);
  /// Whether there is time to learn values on this machine, and a use for them.
  [[nodiscard]] bool learns(const Position& position, Seconds time) const;
  /// `compare` may replace it.
  [[nodiscard]] MatchLearning& learning() { return *learning_; }

  /// The search that won, and the options with which it won; `mcts` before that.
  [[nodiscard]] const std::string& best() const { return best_.name; }
  [[nodiscard]] OptionTexts options_of_best() const;
  /// Whether that search uses what is learned.
  [[nodiscard]] bool best_uses_values() const;
  /// What was done since the last call, for people.
  [[nodiscard]] std::string take_explanation() { return std::exchange(explanation_, {}); }

 private:
  void hold(const Position& position, const AutoPlan& plan, Seconds time, const Deadline& deadline);
  void choose_playouts(const Position& position, Seconds time, const Deadline& deadline);
  [[nodiscard]] bool looks_first(Seconds time) const;
  double look_at_values(const Position& position, const AutoPlan& plan, Seconds time,
                        const Deadline& deadline);
  [[nodiscard]] std::unique_ptr<MatchLearning> learning_that_sees_far(const Position& position,
                                                                      const Deadline& deadline);
  [[nodiscard]] bool sees_far(const Position& position) const;
  [[nodiscard]] bool far_values_win(const Position& position, const AutoPlan& plan,
                                    const Deadline& end);
  void race_all(const Position& position, const AutoPlan& plan, Seconds time, const Deadline& end);
  void add_value_racers(const Position& position, std::vector<Racer>& racers) const;
  RaceResult race_between(const std::vector<Racer>& racers, const Position& position,
                          const AutoPlan& plan, const Deadline& end, const RaceResult& before = {});
  void learn(const Position& position, const Deadline& end);
  [[nodiscard]] double share(std::string_view option) const {
    return static_cast<double>(options_.count(option)) / 100;
  }
  void say(const std::string& text) { explanation_ += (explanation_.empty() ? "" : "; ") + text; }

  Options options_;
  StrategyFactory make_;
  bool repeatable_;
  gdl::Rng& rng_;
  std::unique_ptr<MatchLearning> learning_;
  mcts::PlayoutPolicyChoice playouts_;
  Resources shared_;

  // For the match.
  bool compared_ = false;
  bool looked_ = false;  // whether values are any good
  bool lost_ = false;    // they don't win, and there is nothing else to learn from
  /// Values that did not surely lose the first look, while those that see farther are learned and
  /// raced.
  std::unique_ptr<MatchLearning> near_;
  Seconds raced_{0};  // in this comparison
  Racer best_;
  bool hopeful_ = false;    // values may still become the best when more is learned
  double raced_after_ = 0;  // seconds of learning, before the last race
  RaceResult unfinished_;   // of a race that was interrupted while pondering
  std::string explanation_;
};

}  // namespace ludens::search
