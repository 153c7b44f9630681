// SPDX-License-Identifier: MIT
// The status of a match and of its current turn, for pages, INFO and the page of Gamemaster.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "search/strategy/strategy.h"

namespace ludens::agent {

/// A running match, for pages and INFO.
struct MatchStatus {
  std::string match_id;
  std::string role;
  std::size_t step = 0;
  std::string thinking;              // the strategy's last choice, as a line of text
  std::optional<std::size_t> legal;  // how many moves we have in the current turn, once known
  bool dead = false;                 // it has been silent for so long that a new START replaces it
};

/// The state of the current turn. Nothing is known about it before its legal moves are.
struct MatchView {
  bool asked = false;          // whether an answer is due
  std::string move;            // what would be answered now; empty: not known
  std::optional<double> goal;  // the goal that the strategy expects from it, 0 to 100
  bool exact = false;          // the goal is proved
  std::optional<search::Position> position;
};

}  // namespace ludens::agent
