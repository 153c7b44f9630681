// What a position is worth exactly, and how to play to get it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "search/strategy/strategy.h"

namespace ludens::search {

enum class SolveMethod : std::uint8_t {
  Search,    // alpha-beta with a table, deeper and deeper until the value is proved
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

/// The goal that the role can force whatever the others do (the mean of that, where there is the
/// role `random`); a play that never ends counts as 0.
struct Solution {
  double low = 0, high = 100;  // the value lies there, proved
  bool exact = false;
  gdl::MoveId move = gdl::kNoMove;  // the best known
  std::uint64_t nodes = 0;          // states visited (Search), or found (Backward)
  [[nodiscard]] double value() const { return exact ? low : low > 0 ? low : (low + high) / 2; }
};

/// Solves a position that is not the end, as far as deadline and memory allow. `policy` null: not
/// wanted; else it is made where the value is exact.
Solution solve(const Position& position, SolveMethod method, const Deadline& deadline,
               gdl::MemoryBudget* memory, Policy* policy);

/// A policy as text, line by line:
///
///     ( policy ROLE VALUE )
///     ( ( FLUENT ... ) MOVE )        one a state, the position solved first
///
/// S-expressions with the spelling of the rulesheet; fluents in the order of `Machine::print`.
void write_policy(const gdl::Machine& machine, gdl::RoleIndex role, const Solution& solution,
                  const Policy& policy, const std::function<void(std::string_view)>& line);

}  // namespace ludens::search
