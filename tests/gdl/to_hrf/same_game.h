// SPDX-License-Identifier: MIT
// Whether two rulesheets, in whatever languages, are the same game.
#pragma once

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gdl/hrf/hrf.h"
#include "tests/gdl/hrf/played.h"

namespace ludens::gdl {

/// The terms of a list of them, sorted, without needless parentheses: rules may say `( first )`.
inline std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(hrf_terms(prefix_terms(text)));
  std::vector<std::string> all;
  for (std::string part; stream >> part;) {
    for (std::size_t at; (at = part.find("()")) != std::string::npos;) part.erase(at, 2);
    all.push_back(part);
  }
  std::ranges::sort(all);
  return all;
}

/// Plays both at random, the same moves, and compares whatever can be seen.
inline void expect_same_game(const std::string& a, const std::string& b, RoleIndex roles = 2) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::minstd_rand random(seed);
    Played first(a), second(b);
    for (int step = 0; step < 30; ++step) {
      ASSERT_EQ(split(first.state()), split(second.state())) << b;
      ASSERT_EQ(first.goals(), second.goals());
      ASSERT_EQ(first.terminal(), second.terminal());
      if (first.terminal()) break;
      std::vector<std::string> moves;
      for (RoleIndex role = 0; role < roles; ++role) {
        const auto legal = split(first.legal(role));
        ASSERT_EQ(legal, split(second.legal(role)));
        ASSERT_FALSE(legal.empty());
        moves.push_back(prefix_terms(legal[random() % legal.size()]));
      }
      first.make(moves);
      second.make(moves);
    }
  }
}

}  // namespace ludens::gdl
