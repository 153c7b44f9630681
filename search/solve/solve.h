// SPDX-License-Identifier: MIT
// The exact value of a position, and how to play to get it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "search/solve/prover.h"

namespace ludens::search {

enum class SolveMethod : std::uint8_t {
  Search,    // alpha-beta with a table, deeper and deeper until the value is proved
  Proof,     // proof-number search; like Search for one role and for games of chance
  Backward,  // backward induction over all states
};

/// A contingent strategy: a move for every position that the others can lead to.
struct Policy {
  struct Step {
    gdl::State state;
    gdl::MoveId move;
  };
  std::vector<Step> steps;  // the position solved first, each state once
  bool complete = false;
};

/// Solves a position that is not the end, as far as deadline and memory allow; in goals as the
/// rules state them. `policy` is filled in if the value is exact; null: not wanted. `all_moves`:
/// also finds the value of every move of the role, which takes longer than finding the best.
Solution solve(const Position& position, SolveMethod method, const Deadline& deadline,
               gdl::MemoryBudget* memory, Policy* policy, bool all_moves = false);

/// A policy as text, line by line:
///
///     ( policy ROLE VALUE )
///     ( ( FLUENT ... ) MOVE )        one per state, the position solved first
///
/// S-expressions with the spelling of the rulesheet; fluents in the order of `Machine::print`.
void write_policy(const gdl::Machine& machine, gdl::RoleIndex role, const Solution& solution,
                  const Policy& policy, const std::function<void(std::string_view)>& line);

}  // namespace ludens::search
