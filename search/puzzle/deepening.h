// SPDX-License-Identifier: MIT
// Iterative deepening A*: depth-first, in memory that grows only with the length of a play.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/puzzle/estimate.h"
#include "search/puzzle/search_problem.h"

namespace ludens::search::puzzle {

/// Korf, Depth-First Iterative-Deepening: An Optimal Admissible Tree Search (1985). A state is
/// abandoned if moves made plus estimate exceed the bound; the next bound is the least sum that
/// exceeded it. States that recur on the path are abandoned, too. Exhausted when the bound was
/// never exceeded.
class Deepening {
 public:
  /// `weight`: of the estimate relative to the moves made. `problem` and `estimate` must outlive
  /// it.
  Deepening(SearchProblem& problem, double weight, Estimate& estimate);
  Ended run();

 private:
  struct Frame {
    gdl::StateHash key;
    std::vector<gdl::MoveId> moves;
    std::size_t next = 0;
  };
  gdl::Status start();
  gdl::Status enter(gdl::MoveId move);
  [[nodiscard]] bool within_bound(Frame& frame);
  [[nodiscard]] bool recurs(const gdl::StateHash& key) const;

  SearchProblem& problem_;
  const double weight_;
  Estimate& estimate_;
  std::unique_ptr<gdl::Walker> walker_;
  std::vector<Frame> path_;        // the root first
  std::vector<gdl::MoveId> line_;  // one shorter
  std::size_t depth_ = 0;          // open frames; those beyond are kept for their memory
  double bound_ = 0, next_bound_ = 0;
  bool complete_ = true;  // no state was left out, except those that were abandoned
};

}  // namespace ludens::search::puzzle
