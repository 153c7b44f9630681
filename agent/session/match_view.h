// SPDX-License-Identifier: MIT
// A match as somebody who looks over the player's shoulder sees it.
#pragma once

#include <optional>
#include <string>

#include "search/strategy/strategy.h"

namespace ludens::agent {

/// How the present turn stands. Nothing is known of it before its legal moves are.
struct MatchView {
  bool asked = false;          // an answer is due
  std::string move;            // what would be answered now; empty: not known
  std::optional<double> goal;  // that the strategy expects of it, 0 to 100
  bool exact = false;          // the goal is proved
  std::optional<search::Position> position;
};

}  // namespace ludens::agent
