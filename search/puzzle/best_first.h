// SPDX-License-Identifier: MIT
// A*: expands the most promising of all states seen first.
#pragma once

#include <cstdint>
#include <deque>

#include "search/puzzle/estimate.h"
#include "search/puzzle/fingerprints.h"
#include "search/puzzle/guide.h"
#include "search/puzzle/parent_tree.h"
#include "search/puzzle/passes.h"
#include "search/puzzle/state_list.h"

namespace ludens::search::puzzle {

struct BestFirstSettings {
  double weight = 1;           // of the estimate relative to the moves made; 0: like breadth-first
                               // search
  bool without_clock = false;  // a position at another time is the same position
};

/// Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths
/// (1968), weighted, with as many states per pass as the machine can take; among equals the latest.
/// The length of a play does not affect its goal, so an estimate may be too large, and a state is
/// not opened again when a shorter path to it is found. Exhausted, which is only reported if clocks
/// are distinguished, means that all other plays lead to states that the estimate ruled out.
class BestFirst {
 public:
  /// `problem`, `guide`, `memory` (null: no limit) and `estimate` must outlive this.
  BestFirst(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory,
            const BestFirstSettings& settings, Estimate& estimate);
  Ended run();

 private:
  struct Note {
    ParentTree::Node way;
    std::uint32_t depth;
  };
  struct Open {
    float cost;  // the less the better
    std::uint32_t state;
    friend bool operator<(const Open& a, const Open& b) {
      return a.cost != b.cost ? a.cost > b.cost : a.state < b.state;
    }
  };
  bool land();
  bool arrive(std::uint32_t child, const gdl::StateHash& key);
  bool open_fresh();
  void push(std::uint32_t state, std::uint32_t depth, double estimate);
  void fill();

  SearchProblem& problem_;
  Guide& guide_;
  BestFirstSettings settings_;
  Estimate& estimate_;
  Passes passes_;
  Fingerprints seen_;
  ParentTree parents_;
  StateList<Note> states_;
  std::deque<Open> open_;  // a heap
  // For the pass: children seen for the first time.
  std::vector<std::uint32_t> fresh_;
  std::vector<gdl::StateView> fresh_states_;
  std::vector<double> estimates_;
  std::uint32_t state_ = 0;  // being expanded
  std::size_t move_ = 0;     // of its moves, the next
  bool expanding_ = false;
  bool complete_ = true;  // no state was left out because of its depth
};

}  // namespace ludens::search::puzzle
