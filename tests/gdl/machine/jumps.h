// SPDX-License-Identifier: MIT
// A game whose network is large enough for what only large networks meet.
#pragma once

#include <string>

namespace ludens::gdl::tests {

/// A board on which a piece may jump to any free place nearby: some 20,000 moves and gates.
inline std::string jumps() {
  constexpr int kSide = 30, kReach = 2;
  std::string text = "(role a)";
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      const std::string from = std::to_string(x), to = std::to_string(y);
      if ((x * 7 + y * 3) % 5 == 0) text += "(init (on " + from + " " + to + "))";
      if (x - y <= kReach && y - x <= kReach) text += "(near " + from + " " + to + ")";
    }
  }
  return text + R"((<= (legal a (jump ?x ?y ?u ?v)) (true (on ?x ?y)) (near ?x ?u) (near ?y ?v)
      (not (true (on ?u ?v))))
    (<= (left ?x ?y) (does a (jump ?x ?y ?u ?v)))
    (<= (next (on ?u ?v)) (does a (jump ?x ?y ?u ?v)))
    (<= (next (on ?x ?y)) (true (on ?x ?y)) (not (left ?x ?y)))
    (<= terminal (not (true (on 0 0)))) (goal a 100))";
}

}  // namespace ludens::gdl::tests
