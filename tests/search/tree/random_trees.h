// SPDX-License-Identifier: MIT
// Drawn games by chance, and what they are worth by plain enumeration, for property tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gdl/machine/rng.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search {

struct RandomTreeShape {
  std::vector<std::string> roles{"max", "min"};
  bool fixed_sum = true;           // else leaves are lists of goals by chance
  std::uint32_t width = 4;         // moves at a node, 1..width
  std::uint32_t depth = 4;         // levels of moves, 1..depth
  std::uint32_t goals = 101;       // different goals, spread over 0..100
  std::uint32_t simultaneous = 0;  // percent of nodes at which all roles move at once
};

/// The text of a game by chance.
std::string random_tree(const RandomTreeShape& shape, gdl::Rng& rng);

/// How the values of a state's successors make the state's: called with the legal moves' numbers of
/// every role, and the values of all joint moves, the last role's fastest.
using Values = std::vector<double>;
using Combine = std::function<Values(const std::vector<std::size_t>& moves,
                                     const std::vector<Values>& successors)>;

/// The value of the initial state by recursion over single calls of the machine, nothing else.
Values enumerate(const gdl::Machine& machine, const Combine& combine);

}  // namespace ludens::search
