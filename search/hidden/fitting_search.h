// SPDX-License-Identifier: MIT
// Histories that fit all that a role knows, looked for from the initial state.
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

/// A depth-first search in batches: the moves of the others are tried in an order drawn by chance,
/// behind the longest histories first, and where nothing fits any more it goes back to shorter
/// ones. Of histories that lead to one state after equally many turns it follows the first, as the
/// same turns fit behind all of them. Ends with all such histories, or with a part.
class FittingSearch {
 public:
  struct Limits {
    std::size_t most;     // histories found
    std::size_t batches;  // once a history was found
  };
  struct Outcome {
    gdl::Status status = gdl::Status::Ok;
    Histories found = {};    // they weigh by their probability
    bool exhausted = false;  // there are no states but these
    bool merged = false;     // a history was left out for another one with the same state
  };

  FittingSearch(std::span<const KnownTurn> turns, Match match, gdl::RoleIndex role,
                TurnFilter& filter, gdl::Rng& rng)
      : turns_(turns), match_(match), role_(role), filter_(filter), rng_(rng) {}

  Outcome run(Histories beginning, const Limits& limits);

 private:
  /// Histories of one length, and how far their joint moves have been tried.
  struct Block {
    Histories histories;
    /// The joint moves of a history have numbers from 0 to `count` - 1; the n-th to be tried is the
    /// one numbered (first + n * stride) mod count.
    struct Order {
      std::size_t history;
      std::uint64_t count, first, stride, tried = 0;
    };
    std::vector<Order> open;  // histories with moves that are left
  };

  void push(Histories histories);
  void propose(Block& block);
  void keep_new_states(Histories& found);

  std::span<const KnownTurn> turns_;
  const Match match_;
  const gdl::RoleIndex role_;
  TurnFilter& filter_;
  gdl::Rng& rng_;
  std::vector<Block> blocks_;  // the last one is gone on with
  Proposals proposals_;
  std::unordered_set<std::uint64_t> seen_;  // by a hash of length and state
  Outcome outcome_;
};

}  // namespace ludens::search::hidden
