// SPDX-License-Identifier: MIT
// Guesses the turns of a match that its host has played without telling us.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::agent {

/// What is asked of the rules. A status other than Ok: not known, so nothing fits there.
struct AskedRules {
  using Joint = std::vector<gdl::MoveId>;
  std::size_t roles = 0;
  gdl::RoleIndex role = 0;  // ours
  std::function<gdl::Status(gdl::StateView, gdl::RoleIndex, std::vector<gdl::MoveId>&)> legal;
  std::function<gdl::Status(gdl::StateView, const Joint&, gdl::State&)> next;
  std::function<gdl::Status(gdl::StateView, bool&)> terminal;
  std::function<bool()> hurried;  // the answer is due, or another PLAY waits
};

/// A turn as the host has told it, and what we had answered.
struct ReportedTurn {
  std::vector<gdl::MoveId> moves;  // one per role, or the move of the role in control
  bool one = false;                // the latter
  std::optional<gdl::MoveId> sent = std::nullopt;
};

/// The last position of a match that was known, and what the host has told since: between the two,
/// turns may be missing. For one thread.
class MissedTurns {
 public:
  /// `sent`: our answer in the position.
  MissedTurns(gdl::StateView position, std::optional<gdl::MoveId> sent);

  /// Adds a turn that the host has told.
  void add(ReportedTurn turn) { told_.push_back(std::move(turn)); }
  /// Takes the last one back.
  void drop_last() { told_.pop_back(); }

  /// A way on from the position that all turns that were told fit.
  struct Way {
    std::size_t missed = 0;            // how many turns were not told; they come first
    std::vector<gdl::MoveId> history;  // all joint moves, stored contiguously
    gdl::State state;                  // after them
    /// No other way was found, although all numbers of turns up to a few were tried.
    bool only = false;
  };
  /// Asks the rules which numbers of missing turns fit, and returns the likeliest way: one in which
  /// the host replaced few of our answers that were legal, with the smallest number. `rather`:
  /// a number above 0 is likelier than none. `goes_on`: the match is not over after the last turn.
  /// What is tried is limited by counts, so that it is the same each time, and ends early only if
  /// the answer is due.
  [[nodiscard]] std::optional<Way> find(const AskedRules& rules, bool rather, bool goes_on) const;

 private:
  class Search;

  gdl::State position_;
  std::optional<gdl::MoveId> sent_;
  std::vector<ReportedTurn> told_;
};

}  // namespace ludens::agent
