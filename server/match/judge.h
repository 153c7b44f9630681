// SPDX-License-Identifier: MIT
// Judges an answer: a legal move, or an error and a replacement move.
#pragma once

#include <cstdint>
#include <string>

#include "gdl/machine/rng.h"
#include "server/game/position.h"
#include "server/match/match_player.h"
#include "server/match/told_game.h"

namespace ludens::server {

enum class ReplacementPolicy {
  Random,  // a random legal move, from the match's seed
  First,   // the first legal move
};

/// A legal move, whatever the player answered.
struct Verdict {
  gdl::MoveId move = gdl::kNoMove;
  std::string error;   // empty, or as in a record: `TO`, `CE`, `IN`, `IL <move>`
  std::string answer;  // the text that could not be accepted, shortened
};

/// Judges answers in the state that its position has at the time of the call. The codes are those
/// of ggp-base. TO: nothing in time; CE: no connection or no HTTP; IL: a term that is not a legal
/// move; IN: anything that is not one term. Replacements and the moves of `random` come from two
/// generators, so that a late answer does not change the dice.
class Judge {
 public:
  Judge(const Position& position, ReplacementPolicy policy, std::uint64_t seed);

  /// Every role asked must have a legal move.
  Verdict verdict(gdl::RoleIndex role, const Answer& answer, const ToldGame& game);
  /// A move of the role `random`.
  Verdict chance(gdl::RoleIndex role);

  /// Empty, `TO` or `CE`.
  [[nodiscard]] static std::string start_error(const Answer& answer);
  /// A sentence if a player is not ready.
  [[nodiscard]] static std::string complaint_of_start(const Answer& answer);

 private:
  [[nodiscard]] Verdict verdict_on_term(gdl::RoleIndex role,
                                        const std::vector<std::uint32_t>& term);
  [[nodiscard]] gdl::MoveId replacement(gdl::RoleIndex role);

  const Position& position_;
  ReplacementPolicy policy_;
  gdl::Rng replacements_, chance_;
};

}  // namespace ludens::server
