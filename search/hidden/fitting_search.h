// SPDX-License-Identifier: MIT
// Searches from the initial state for histories that fit all that a role knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/hidden/histories.h"
#include "search/hidden/turn_filter.h"

namespace ludens::search::hidden {

/// A depth-first search in batches: the moves of the others are tried in random order, after the
/// longest histories first, and when nothing fits any more it goes back to shorter ones. Of
/// histories that lead to the same state after the same number of turns it follows only the first,
/// because the same turns fit after all of them. Ends with all such histories, or with a part.
class FittingSearch {
 public:
  struct Limits {
    std::size_t most;     // histories found
    std::size_t batches;  // after a history was found
  };
  struct Outcome {
    gdl::Status status = gdl::Status::Ok;
    Histories found = {};    // weighted by their probability
    bool exhausted = false;  // there are no other states
    bool merged = false;     // a history was dropped for another one with the same state
  };

  FittingSearch(std::span<const KnownTurn> turns, MatchPhase match, gdl::RoleIndex role,
                TurnFilter& filter, gdl::Rng& rng)
      : turns_(turns), match_(match), role_(role), filter_(filter), rng_(rng) {}

  Outcome run(Histories beginning, const Limits& limits);

 private:
  /// Histories of one length, and how far their joint moves have been tried.
  struct Block {
    Histories histories;
    /// The joint moves of a history have numbers from 0 to `count` - 1; the n-th one tried has the
    /// number (first + n * stride) mod count.
    struct Order {
      std::size_t history;
      std::uint64_t count, first, stride, tried = 0;
    };
    std::vector<Order> open;  // histories with moves left
  };

  void push(Histories histories);
  void propose(Block& block);
  void keep_new_states(Histories& found);

  std::span<const KnownTurn> turns_;
  const MatchPhase match_;
  const gdl::RoleIndex role_;
  TurnFilter& filter_;
  gdl::Rng& rng_;
  std::vector<Block> blocks_;  // the search continues with the last one
  Proposals proposals_;
  std::unordered_set<std::uint64_t> seen_;  // by a hash of length and state
  Outcome outcome_;
};

}  // namespace ludens::search::hidden
