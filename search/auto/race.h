// SPDX-License-Identifier: MIT
// Which of several searches plays a game best: matches between them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "search/self_play/self_match.h"
#include "search/strategy/factory.h"

namespace ludens::search {

/// A strategy in a race, with options of its own.
struct Racer {
  std::string name;
  OptionTexts options = {};
  /// Whether it finds out about the game when it first thinks, and is given time for that before.
  bool warms_up = false;
  std::string title = {};  // for people; empty: the name

  [[nodiscard]] const std::string& told() const { return title.empty() ? name : title; }
};

/// What the matches showed.
struct RaceResult {
  std::size_t winner = 0;   // the racer that is surely better than the first, and most so; else 0
  std::string explanation;  // for people; empty if there was no time for matches
  /// [racer]: in matches against the first; empty where none can be played.
  std::vector<Score> scores;
};

/// Lets each strategy play matches against the first, from positions a few plies behind `position`,
/// at equal time and from both seats, until `end` comes or more matches would change nothing. The
/// next matches go to the one that may still turn out best (as in UCB), so that a bad one soon
/// costs no more time; of equals it is the one that stands first. `length` is that of a match
/// between good players, in joint moves: where it is too short, time runs out and little is
/// decided. Nothing is played where moves would have to be made in less time than says anything
/// about a search, or in games of more than two roles.
RaceResult race(std::span<const Racer> racers, const Position& position, double length,
                const Deadline& end, StrategyFactory make, const Resources& resources,
                std::uint64_t seed);

}  // namespace ludens::search
