// SPDX-License-Identifier: MIT
// A game for any number of roles, of any length.
#pragma once

#include <string>

namespace ludens::search::test {

/// So many roles, nine at most, switch one of nine lamps in turn, for so many plies. Each likes a
/// lamp of its own.
inline std::string lamps(std::size_t roles, std::size_t plies) {
  std::string text = "(init (control r0)) (init (step 0))";
  for (std::size_t r = 0; r < roles; ++r) {
    const std::string role = "r" + std::to_string(r);
    text += "(role " + role + ") (turn " + role + " r" + std::to_string((r + 1) % roles) + ")";
    text += "(<= (goal " + role + " 100) (true (lit " + std::to_string(r) + ")))";
    text += "(<= (goal " + role + " 0) (not (true (lit " + std::to_string(r) + "))))";
  }
  for (int lamp = 0; lamp < 9; ++lamp) text += "(lamp " + std::to_string(lamp) + ")";
  for (std::size_t s = 0; s < plies; ++s) {
    text += "(succ " + std::to_string(s) + " " + std::to_string(s + 1) + ")";
  }
  return text + "(<= terminal (true (step " + std::to_string(plies) + ")))" + R"(
    (<= (legal ?r (switch ?x)) (true (control ?r)) (lamp ?x))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (control ?s)) (true (control ?r)) (turn ?r ?s))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (switched ?x) (does ?r (switch ?x)))
    (<= (next (lit ?x)) (switched ?x) (not (true (lit ?x))))
    (<= (next (lit ?x)) (true (lit ?x)) (not (switched ?x))))";
}

}  // namespace ludens::search::test
