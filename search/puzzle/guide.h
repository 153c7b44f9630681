// SPDX-License-Identifier: MIT
// Which of two states is nearer to a good end, by signs that cost little.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/puzzle/fingerprints.h"
#include "search/puzzle/knowledge.h"

namespace ludens::search::puzzle {

/// What speaks for a state; a little chance always decides between equals.
enum class Sign : std::uint8_t {
  Chance,  // nothing but it
  Most,    // many legal moves: freedom to go on
  Fewest,  // few: what is hard to reach is seen to first (Warnsdorff 1823)
  Safe,    // the parent has many moves that neither end the game nor lower the goal
  Open,    // what moves use up can be used up yet, and by many of them: cells that can be filled
};
inline constexpr Sign kSigns[] = {Sign::Chance, Sign::Most, Sign::Fewest, Sign::Safe, Sign::Open};

struct Ranking {
  Sign sign = Sign::Chance;
  bool goal_first = false;  // a state whose goal would be larger if it were the end comes first
};

/// Works in the problem's context. One thread.
class Guide {
 public:
  Guide(SearchProblem& problem, const Knowledge& knowledge)
      : problem_(problem), knowledge_(knowledge) {}

  [[nodiscard]] const Knowledge& knowledge() const { return knowledge_; }
  /// The rankings that can tell states of this game apart.
  [[nodiscard]] std::vector<Ranking> rankings() const;

  /// The larger the better. `goal`: what `goal_of` said, where the ranking asks for it.
  float rank(const Ranking& ranking, gdl::StateView state, std::span<const gdl::MoveId> moves,
             int goal);
  [[nodiscard]] bool wants_goal(const Ranking& ranking) const {
    return knowledge_.goals_tell() && (ranking.goal_first || ranking.sign == Sign::Safe);
  }
  /// Moves that it may take to a goal of 100, by the goal that the state would have as the end; 0
  /// where that tells nothing.
  [[nodiscard]] double estimate(gdl::StateView state);
  /// What the state would be worth if it were the end; 0 if the machine can't say.
  int goal_of(gdl::StateView state);
  /// Names the position: with or without its clocks.
  gdl::StateHash key(gdl::StateView state, bool without_clock);
  /// The keys of a pass, fetched in the table where they will be looked up; those of ends are left
  /// out.
  std::span<const gdl::StateHash> keys(const Passes& passes, bool without_clock,
                                       const Fingerprints& table);

 private:
  float openness(gdl::StateView state, std::span<const gdl::MoveId> moves);

  SearchProblem& problem_;
  const Knowledge& knowledge_;
  std::vector<gdl::FluentId> fluents_;
  gdl::State position_;
  std::vector<std::uint32_t> users_;  // [fluent]: legal moves that use it up
  std::vector<gdl::StateHash> keys_;
};

}  // namespace ludens::search::puzzle
