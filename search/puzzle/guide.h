// SPDX-License-Identifier: MIT
// Which of two states is closer to a good end, by cheap signs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/puzzle/fingerprints.h"
#include "search/puzzle/play_observations.h"

namespace ludens::search::puzzle {

/// The sign that ranks states; equals are always ordered at random.
enum class Sign : std::uint8_t {
  Chance,  // only at random
  Most,    // many legal moves: freedom to go on
  Fewest,  // few legal moves: what is hard to reach comes first (Warnsdorff 1823)
  Safe,    // the parent has many moves that neither end the game nor lower the goal
  Open,    // fluents that moves use up are still available, and to many moves: cells that can be
           // filled
};
inline constexpr Sign kSigns[] = {Sign::Chance, Sign::Most, Sign::Fewest, Sign::Safe, Sign::Open};

struct Ranking {
  Sign sign = Sign::Chance;
  bool goal_first = false;  // states are first ordered by the goal that they would have as the end
};

/// Works in the problem's context. One thread.
class Guide {
 public:
  Guide(SearchProblem& problem, const PlayObservations& observations)
      : problem_(problem), observations_(observations) {}

  [[nodiscard]] const PlayObservations& observations() const { return observations_; }
  /// The rankings that can distinguish states of this game.
  [[nodiscard]] std::vector<Ranking> rankings() const;

  /// Larger is better. `goal`: the result of `goal_of`, if the ranking uses it.
  float rank(const Ranking& ranking, gdl::StateView state, std::span<const gdl::MoveId> moves,
             int goal);
  [[nodiscard]] bool wants_goal(const Ranking& ranking) const {
    return observations_.goals_tell() && (ranking.goal_first || ranking.sign == Sign::Safe);
  }
  /// An estimate of the moves to a goal of 100, by the goal that the state would have as the end; 0
  /// if that is not informative.
  [[nodiscard]] double estimate(gdl::StateView state);
  /// The goal that the state would have if it were the end; 0 if the machine can't compute it.
  int goal_of(gdl::StateView state);
  /// A key for the position, with or without its clocks.
  gdl::StateHash key(gdl::StateView state, bool without_clock);
  /// The keys of a pass, without those of ends; prefetches their places in the table where they
  /// will be looked up.
  std::span<const gdl::StateHash> keys(const Passes& passes, bool without_clock,
                                       const Fingerprints& table);

 private:
  float openness(gdl::StateView state, std::span<const gdl::MoveId> moves);

  SearchProblem& problem_;
  const PlayObservations& observations_;
  std::vector<gdl::FluentId> fluents_;
  gdl::State position_;
  std::vector<std::uint32_t> users_;  // [fluent]: legal moves that use it up
  std::vector<gdl::StateHash> keys_;
};

}  // namespace ludens::search::puzzle
