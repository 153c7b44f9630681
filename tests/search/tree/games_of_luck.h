// SPDX-License-Identifier: MIT
// Drawn games in which single results lie on both sides of what is proved about their mean.
#pragma once

#include <string>

namespace ludens::search {

/// `leave` for 65, or `enter` for a bet beside chance: worth 60, with 50 for sure.
inline std::string leave_or_bet() {
  return "(roles x random) (x leave 65 enter (* (safe heads) 50 (safe tails) 50 (bet heads) 100 "
         "(bet tails) 20))";
}

/// The same against another role, which matches pennies.
inline std::string leave_or_match() {
  return "(roles x y) (x leave 65 enter (* (safe left) 50 (safe right) 50 (left left) 100 "
         "(left right) 20 (right left) 20 (right right) 100))";
}

/// Many moves that don't matter before the end: too many for a proof if positions are not shared.
/// Branches are named by `name` and a number.
inline std::string long_way(const std::string& name, int goal) {
  constexpr int kMoves = 30;
  std::string text = std::to_string(goal);
  std::string again = text;
  for (int i = 0; i < kMoves; ++i) {
    const std::string branch = name + std::to_string(i);
    text = (i % 2 == 0 ? "(x:" : "(y:") + branch + " " + text + " " + again + ")";
    again = "@" + branch;
  }
  return text;
}

/// `toss` a coin for 100 at once or 0 after long, or take the `sure` 60 after long.
inline std::string coin_or_sure() {
  return "(roles x y random) (x toss (x (random heads 100 tails " + long_way("lost", 0) +
         ")) sure " + long_way("sure", 60) + ")";
}

/// `toss` a coin for 100 or what y leaves, who takes all but is not bound to; or take 60.
inline std::string coin_or_sixty() {
  return "(roles x y random) (x toss (x (random heads (100 0) tails (y (0 100) (90 50)))) sixty "
         "(60 40))";
}

}  // namespace ludens::search
