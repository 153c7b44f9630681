// SPDX-License-Identifier: MIT
// Which of several searches plays a game best: matches between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/self_play/self_match.h"
#include "search/strategy/factory.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

/// A strategy in a race, with options of its own.
struct Racer {
  std::string name;
  OptionTexts options = {};
  /// Whether it analyses the game when it first thinks, and gets time for that beforehand.
  bool warms_up = false;
  std::string title = {};  // for people; empty: the name
  /// When time runs out, the racer is taken if it is ahead by this many standard errors. A low bar
  /// pays: on average, taking the likelier winner gains more than waiting to be sure.
  double errors = 1;
  /// The share of the points of its matches above which it is better than the first. Above a half
  /// for a search that gains less from time: real moves have more of it than those of a race.
  double bar = 0.5;
  /// The pairs of matches that the time of a move is planned for. A race needs time for one pair
  /// per challenger, and one more for the first.
  std::uint32_t pairs = 1;
  /// Whether it only wins if it also wins a rematch. There is one if the first makes so few
  /// iterations for each legal move that it has no tree yet, and if there is time: the first then
  /// has the time for a tree, and the challenger no more than before. One that time cuts short
  /// before a pair of matches is played is not won.
  bool rematch = false;
  /// Whether it needs no tree, so that matches with short moves show how strong it is. If it is
  /// better than the first, the others need no rematch: that would be against a search that won't
  /// play in any case.
  bool depth_first = false;
  ValueProvider values = {};  // instead of those of the resources; empty: those

  [[nodiscard]] const std::string& label() const { return title.empty() ? name : title; }
};

/// What the matches showed.
struct RaceResult {
  /// A racer that most probably is better than the first; 0 if none is, or if the race was
  /// interrupted.
  std::size_t winner = 0;
  std::string explanation;  // for people; empty if there was no time for matches
  /// [racer]: in matches against the first, or in its rematch if it lost that; empty if none can be
  /// played.
  std::vector<Score> scores;
  /// [racers]: of the first of two that are better than the first of all, against the second.
  std::map<std::pair<std::size_t, std::size_t>, Score> finals = {};
  std::optional<double> iterations = {};  // of the first for each legal move
  Seconds taken{0};                       // with the time of the race that it went on from
};

/// Lets each strategy play matches against the first, from positions a few plies after `position`,
/// with equal time and in both seats, until `end` or until more matches would change nothing. The
/// next matches go to the strategy that may still turn out best (as in UCB), so that a bad one soon
/// costs no more time; among equals, to the first one. Those that turn out better than the first
/// play each other for what is left of the time. `length` is the length of a match between
/// good players, in choices: a joint move in which both choose counts twice. If it is too small,
/// time runs out and little is decided. If the time per move would be too short to judge a search,
/// the last racers are left out; with two of them left, or in games of more than two roles, no
/// matches are played. `before`: of a race between the same that was interrupted, which goes on;
/// but for a rematch, no match is played again.
RaceResult race(std::span<const Racer> racers, const Position& position, double length,
                const Deadline& end, StrategyFactory make, const Resources& resources,
                std::uint64_t seed, const RaceResult& before = {});

/// The time of a move in a race that takes `time`, so that there is enough for the pairs of matches
/// that are planned; nullopt if it is too short to judge a search.
std::optional<Seconds> time_of_a_move(std::span<const Racer> racers, double length, Seconds time);

/// The time of a move of the first in a rematch: that in which it has a tree, or as much as there
/// is for two matches in the time that is `left`. `made`: its iterations for each legal move
/// before, in `a_move`. nullopt if these were about enough for a tree, or if there is no time.
std::optional<Seconds> time_in_rematch(double made, Seconds a_move, double length, Seconds left);

/// Whether a pair of matches between two challengers leaves the first all of its time in a rematch,
/// if one is due; arguments as before.
bool leaves_a_rematch(double made, Seconds a_move, double length, Seconds left);

}  // namespace ludens::search
